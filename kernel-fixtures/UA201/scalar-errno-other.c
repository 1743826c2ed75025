// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another error, another order, and more than the copy: the test stays
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

	ret = copy_from_user(&k->a, &u->a, sizeof(k->a)) ? -EINVAL : 0;	/* want: UA201 rewrite prepared 1 &u->a read */
	if (ret)
		return ret;
	ret = copy_from_user(&k->b, &u->b, sizeof(k->b)) ? 0 : -EFAULT;	/* want: UA201 rewrite prepared 1 &u->b read */
	if (ret != -EFAULT)
		return ret;
	return k->a == 1 || copy_to_user(&u->c, &k->c, sizeof(k->c)) ? -EFAULT : 0;	/* want: UA201 rewrite safe 1 &u->c write */
}
