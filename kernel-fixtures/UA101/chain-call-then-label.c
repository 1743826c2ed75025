// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call comes first, and a fault runs on to the label, as in snd_seq_call_port_info_ioctl()
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

static int first(struct karg *k, struct uarg __user *u)
{
	return put_user(k->d, &u->d);
}

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	if (k->flag)
		goto error;

	if (first(k, u) ||
	    put_user(k->a, &u->a) ||	/* want classic: UA101 rewrite safe 2 u write */ /* want scoped: UA101 rewrite manual 2 u write */
	    put_user(k->b, &u->b))
		err = -EFAULT;

error:
	audit(k);
	return err;
}
