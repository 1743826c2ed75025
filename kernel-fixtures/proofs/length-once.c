// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a string is measured once, which is the same if it is not written in between
 * Verdict: not proven
 * Says: call of strlen
 */
#include <fixture/arguments.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int measure(struct karg *k, const char *s, u32 __user *u);

int measure(struct karg *k, const char *s, u32 __user *u)
{
	k->a = strlen(s);
	k->b = strlen(s);

	return put_user(1, u);
}
