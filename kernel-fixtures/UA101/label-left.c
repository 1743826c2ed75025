// SPDX-License-Identifier: GPL-2.0
/*
 * Title: only the begin would jump to the label
 * Row: label
 * Twin: label-used
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

	ret = put_user(k->a, &u->a);	/* want classic: UA101 rewrite manual 3 u write */ /* want scoped: UA101 rewrite safe 3 u write */
	if (ret)
		goto error;
	ret = put_user(k->b, &u->b);
	if (ret)
		goto error;
	ret = put_user(k->c, &u->c);
	if (ret)
		goto error;
	return 0;
error:
	return ret;
}
