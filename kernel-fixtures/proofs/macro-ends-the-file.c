// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro without a semicolon ends the file
 * Verdict: proven
 */
#include <linux/init.h>

struct counter {
	int a;
};

#ifdef CONFIG_NEVER_SET
#define put(c, tag) put_tagged(c, tag)
#else
#define put(c, tag) ((c)->a = 1)
#endif

int subject(struct counter *c, int x, int y)
{
	int tag = x;

	tag += y;
	put(c, tag);
	return 0;
}

static int __init start(void)
{
	return 0;
}
late_initcall(start)
