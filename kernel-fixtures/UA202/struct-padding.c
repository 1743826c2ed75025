// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members that are read one by one leave what lies between them
 * Row: padding
 * Twin: struct-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct gap {
		u32 a;
		u16 b;
	} gap;

	if (copy_from_user(&gap, u->words, sizeof(struct gap)))	/* want: UA202 report padding 1 u->words read */
		return -EFAULT;
	k->a = gap.a;
	return 0;
}
