// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member of a packed structure is aligned to nothing
 * Row: alignment by type
 * Twin: scalar-nested
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct odd {
	u8 kind;
	u32 word;
} __attribute__((packed));

int subject(struct karg *k, struct uarg __user *u)
{
	struct odd __user *odd = (struct odd __user *)u;
	u32 word;

	if (copy_from_user(&word, &odd->word, sizeof(word)))	/* want: UA201 report unaligned 1 &odd->word read */
		return -EFAULT;
	k->a = word;
	return 0;
}
