// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that the tracer uses is traced
 * Verdict: not proven
 * Says: it is now traced
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

notrace int subject(struct karg *k, struct uarg __user *u)
{
	return get_user(k->a, &u->a);
}
