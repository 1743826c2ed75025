// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members of a table get names, one of which is that of another
 * Verdict: not proven
 * Says: the contents of \.rodata
 */
#include <fixture/arguments.h>

struct part {
	char name[8];
	u32 kind;
	u32 side;
};

const struct part parts[] = {
	{ "left", 1 },
	{ "right", 0 },
	{},
};
