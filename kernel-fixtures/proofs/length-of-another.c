// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the length of another string is stored
 * Verdict: different
 * Says: call strlen
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
