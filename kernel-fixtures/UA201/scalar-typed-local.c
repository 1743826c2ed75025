// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local already has the type, as ip in evdev_do_ioctl()
 * Row: the pointer gets the type
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *p = u;
	int __user *ip = (int __user *)p;
	int __user *moved = p;
	u32 word;

	if (k->flag)
		moved++;
	if (copy_from_user(&word, p, sizeof(word)))	/* want: UA201 rewrite prepared 1 p read */
		return -EFAULT;
	if (moved == ip)
		k->a = word;
	return 0;
}
