// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a buffer of bytes may be at an odd address
 * Row: the pointer gets the type
 * Twin: scalar-byte
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	const char __user *from = (const char __user *)u;
	u8 __user *to = &u->b0;
	u32 word;
	u8 byte;

	if (copy_from_user(&word, from, sizeof(word)))	/* want: UA201 report unaligned 1 from read */
		return -EFAULT;
	if (copy_from_user(&byte, to, sizeof(byte)))	/* want: UA201 report other-stays 1 to read */
		return -EFAULT;
	if (copy_to_user(to + 1, &word, sizeof(word)))	/* want: UA201 report unaligned 1 - write */
		return -EFAULT;
	k->a = word + byte;
	return 0;
}
