// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a third member is read after work that cannot be in a window, as in snd_pcm_control_ioctl()
 * Row: accesses left over
 * Shape: C
 * Twin: chain-put-three
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a))	/* want: UA101 report mixed-condition 2 u read */
		return -EFAULT;
	if (get_user(k->b, &u->b))
		return -EFAULT;

	audit(k);
	if (get_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
