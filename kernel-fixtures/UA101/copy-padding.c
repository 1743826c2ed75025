// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure with a hole is read: the copy fills it
 * Row: copy_to_user() of a structure
 * Shape: C
 * Twin: copy-whole
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct gap {
		u32 a;
		u16 b;
	} gap;
	struct gap __user *from = (struct gap __user *)u->words;
	u16 b;

	if (get_user(b, &from->b))	/* want: UA101 report call-between 2 from read */
		return -EFAULT;
	if (copy_from_user(&gap, from, sizeof(gap)))
		return -EFAULT;
	if (get_user(k->a, &from->a))
		return -EFAULT;
	k->h0 = b + gap.b;

	return 0;
}
