// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member of a structure that has no name of its own is known as well
 * Row: size and type of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

union attr {
	struct {
		u32 type;
		struct {
			u32 count;
			u32 flags;
		} part;
	} query;
	u64 word;
};

int subject(struct karg *k, struct uarg __user *u)
{
	union attr __user *attr = (union attr __user *)u;

	if (copy_to_user(&attr->query.type, &k->a, sizeof(k->a)))	/* want: UA201 rewrite safe 1 &attr->query.type write */
		return -EFAULT;
	audit(k);
	if (copy_to_user(&attr->query.part.flags, &k->b, sizeof(k->b)))	/* want: UA201 rewrite safe 1 &attr->query.part.flags write */
		return -EFAULT;
	return 0;
}
