// SPDX-License-Identifier: GPL-2.0
/*
 * Title: strscpy() of a literal that gcc copied by itself
 * Verdict: not proven
 * Says: sized_strscpy
 */
#include <linux/string.h>

struct named {
	char name[16];
};

void subject(struct named *p)
{
	strcpy(p->name, "dummy");
}
