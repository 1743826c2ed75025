// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one command of many in a hot function, and a cold branch
 * Row: hot functions alone
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned word;

	if (unlikely(k->d == 7)) {
		if (copy_to_user(&u->d, &k->d, sizeof(k->d)))	/* want: UA201 rewrite safe 1 &u->d write */
			return -EFAULT;
	}
	switch (k->index) {
	case 0:
		if (copy_from_user(&word, (void __user *)&u->a, sizeof(word)))	/* want: UA201 rewrite prepared 1 &u->a read */
			return -EFAULT;
		k->a = word;
		break;
	default:
		return -EINVAL;
	}
	if (copy_to_user(&u->b, &k->b, sizeof(k->b)))	/* want: UA201 rewrite safe 1 &u->b write */
		return -EFAULT;
	return 0;
}
