// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function without a result runs off its end: nowhere for a label
 * Row: separate ifs, the same exit
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static void publish(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 report no-place-for-label 2 u write */
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
