// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a move becomes a copy, although the ends overlap
 * Verdict: different
 */
#include <fixture/arguments.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	memmove((char *)k + 16, k, 200);
	return put_user(k->a, &u->a);
}
