// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members of a table get their names, and a last entry loses its comma
 * Verdict: proven
 */
#include <fixture/arguments.h>

struct part {
	char name[8];
	u32 kind;
};

const struct part parts[] = {
	{ "left", 1 },
	{ "right", 0 },
	{},
};
