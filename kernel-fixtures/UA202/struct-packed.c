// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member of a packed structure is not aligned, which only a copy takes everywhere
 * Row: alignment of the members
 * Twin: struct-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct tight {
	u8 kind;
	u32 value;
} __attribute__((packed));

int subject(struct karg *k, struct uarg __user *u)
{
	struct tight __user *from = (struct tight __user *)u;
	struct tight tight;

	if (copy_from_user(&tight, from, sizeof(tight)))	/* want: UA202 report no-members 1 from read */
		return -EFAULT;
	k->a = tight.value;
	k->b0 = tight.kind;
	return 0;
}
