// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a packed structure without a name of its own
 * Row: alignment by type
 * Twin: scalar-nested
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

union packed_attr {
	struct {
		u8 type;
		u32 count;
	} __attribute__((packed)) tight;
	u64 word;
};

int subject(struct karg *k, struct uarg __user *u)
{
	union packed_attr __user *packed = (union packed_attr __user *)u;

	if (copy_to_user(&packed->tight.count, &k->c, sizeof(k->c)))	/* want: UA201 report unaligned 1 &packed->tight.count write */
		return -EFAULT;
	return 0;
}
