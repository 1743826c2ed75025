// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the local of the right type has moved on
 * Row: the pointer gets the type
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *p = u;
	int __user *moved = p;
	u32 word;

	if (k->flag)
		moved++;
	if (copy_from_user(&word, p, sizeof(word)))	/* want: UA201 rewrite prepared 1 p read */
		return -EFAULT;
	if (moved == p)
		k->a = word;
	return 0;
}
