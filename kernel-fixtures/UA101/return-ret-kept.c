// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the variable that held the results is needed elsewhere
 * Row: the result returned as it is
 * Shape: E
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static int prepare(struct karg *k)
{
	return k->flag ? -EBUSY : 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

	ret = prepare(k);
	if (ret)
		return ret;

	ret = put_user(k->a, &u->a);	/* want: UA101 rewrite safe 2 u write */
	if (ret)
		return ret;
	ret = put_user(k->b, &u->b);
	if (ret)
		return ret;

	k->total++;
	return 0;
}
