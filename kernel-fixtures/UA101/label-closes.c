// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the file has a name for labels that close a window, as kernel/rseq.c
 * Row: label
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static int before(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		goto efault;
	unsafe_put_user(k->a, &u->a, efault_end);
	user_write_access_end();
	return 0;

efault_end:
	user_write_access_end();
efault:
	return -EFAULT;
}

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->b, &u->b) || put_user(k->c, &u->c) || put_user(k->d, &u->d))	/* want: UA101 rewrite safe 3 u write */
		return -EFAULT;
	return before(k, u);
}
