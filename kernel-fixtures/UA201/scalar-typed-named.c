// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local for one argument already has the type, as eventsp in vhost_scsi_ioctl()
 * Row: the pointer gets the type
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *p = u;
	int __user *eventsp = (int __user *)p;
	int __user *moved = p;
	u32 word;

	if (k->flag)
		moved++;
	if (copy_from_user(&word, p, sizeof(word)))	/* want: UA201 rewrite prepared 1 p read */
		return -EFAULT;
	if (moved == eventsp)
		k->a = word;
	return 0;
}
