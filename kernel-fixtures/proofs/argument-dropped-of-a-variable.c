// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable that a macro drops is counted otherwise
 * Verdict: not proven
 * Says: not reached as before
 */
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
