// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function without a result gets a return before its label, or ends in it
 * Row: separate ifs, the same exit
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static void publish(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 rewrite safe 2 u write */
		return;
	if (put_user(k->b, &u->b))
		return;
	k->total++;
}

int subject(struct karg *k, struct uarg __user *u)
{
	publish(k, u);
	return 0;
}
