// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer comes from a call, which is made each time
 * Row: side-effect-argument
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

	if (!access_ok(&user_area(k)->a, sizeof(a)))	/* want: UA103 report side-effect-argument 1 &user_area(k)->a read */
		return -EFAULT;
	if (__get_user(a, &user_area(k)->a))
		return -EFAULT;
	k->a = a;
	return 0;
}
