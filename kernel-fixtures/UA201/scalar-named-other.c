// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the message of the else is about another call of the routine
 * Row: comments kept
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static const char *said;

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_to_user(&u->a, &k->a, sizeof(k->a))) {	/* want: UA201 rewrite prepared 1 &u->a write */
		return -EFAULT;
	} else if (copy_to_user(u->words, &k->total, k->count % 4)) {
		said = "copy_to_user() failed";
		return -EFAULT;
	}
	return 0;
}
