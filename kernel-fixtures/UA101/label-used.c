// SPDX-License-Identifier: GPL-2.0
/*
 * Title: other code jumps to the label as well
 * Row: label
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

	ret = put_user(k->a, &u->a);	/* want classic: UA101 rewrite safe 3 u write */ /* want scoped: UA101 rewrite safe 3 u write */
	if (ret)
		goto error;
	ret = put_user(k->b, &u->b);
	if (ret)
		goto error;
	ret = put_user(k->c, &u->c);
	if (ret)
		goto error;
	if (k->flag) {
		ret = -EINVAL;
		goto error;
	}
	return 0;
error:
	return ret;
}
