// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function moves to memory that is freed after boot
 * Verdict: not proven
 * Says: now in .init.text
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>
#include <linux/init.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return get_user(k->a, &u->a);
}
