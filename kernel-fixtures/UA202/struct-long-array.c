// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array of sixteen elements would take as many accesses
 * Row: the whole object
 * Twin: struct-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct key {
		u8 octets[16];
		u32 number;
	} key;

	if (copy_from_user(&key, u->words, sizeof(struct key)))	/* want: UA202 report no-members 1 u->words read */
		return -EFAULT;
	k->a = key.number;
	return 0;
}
