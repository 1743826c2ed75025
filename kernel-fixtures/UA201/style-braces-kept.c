// SPDX-License-Identifier: GPL-2.0
/*
 * Title: braces around more than one plain statement, or before an else, stay
 * Row: touched lines
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = 0;

	if (copy_to_user(&u->a, &k->a, sizeof(u->a))) {	/* want: UA201 rewrite manual 1 &u->a write */
		audit(k);
	}
	if (copy_to_user(&u->b, &k->b, sizeof(u->b))) {	/* want: UA201 rewrite manual 1 &u->b write */
		return -EFAULT;	/* as before */
	}
	if (copy_to_user(&u->c, &k->c, sizeof(u->c))) {	/* want: UA201 rewrite manual 1 &u->c write */
		ret = -EFAULT;
	} else {
		audit(k);
		k->d = 1;
	}
	if (k->flag &&
	    copy_to_user(&u->d, &k->d, sizeof(u->d))) {	/* want: UA201 rewrite manual 1 &u->d write */
		ret = -EFAULT;
	}
	return ret;
}
