// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value is stored as an int, after an unchanged move
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	memmove((char *)k + 16, k, 200);
	return put_user(k->a, &u->a);
}
