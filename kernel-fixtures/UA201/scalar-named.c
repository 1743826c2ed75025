// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a comment and a message name the routine that is called no more
 * Row: comments kept
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static const char *said;

int subject(struct karg *k, struct uarg __user *u)
{
	/* copy_to_user() may sleep */
	k->flag = 0;
	if (copy_to_user(&u->a, &k->a, sizeof(k->a)))	/* want: UA201 rewrite prepared 1 &u->a write */
		return -EFAULT;
	said = "done";
	k->b++;
	k->c++;
	if (copy_to_user(&u->b, &k->b, sizeof(k->b))) {	/* want: UA201 rewrite safe 1 &u->b write */
		said = "copy_to_user() failed";
		return -EFAULT;
	}
	said = "done";
	k->c++;
	k->d++;
	k->b++;
	if (copy_to_user(&u->c, &k->c, sizeof(k->c)))	/* want: UA201 rewrite safe 1 &u->c write */
		return -EFAULT;
	return 0;
}
