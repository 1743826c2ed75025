// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of another structure, in a switch
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_other_type {
	u32 kind;
	u32 length;
	u32 where[4];
};

struct uw05_other_type_short {
	u32 kind;
	u32 length;
};

static __always_inline int uw05_other_type_error(int ret)
{
	return ret;
}

int uw05_other_type(int kind, struct uw05_other_type __user *from, u32 *value)
{
	int ret = -EFAULT;

	if (!user_read_access_begin(from, sizeof(struct uw05_other_type_short)))
		return ret;
	switch (kind) {
	case 0:
		unsafe_get_user(*value, &from->length, out);
		break;
	case 1:
		unsafe_get_user(*value, &from->where[0], out);	/* want: UW05 */
		break;
	default:
		unsafe_get_user(*value, &from->where[3], out);	/* want: UW05 */
	}
	ret = uw05_other_type_error(0);
out:
	user_read_access_end();
	return ret;
}

int uw05_other_type_clean(int kind, struct uw05_other_type __user *from, u32 *value)
{
	int ret = -EFAULT;

	if (!user_read_access_begin(from, sizeof(struct uw05_other_type)))
		return ret;
	switch (kind) {
	case 0:
		unsafe_get_user(*value, &from->length, out);
		break;
	case 1:
		unsafe_get_user(*value, &from->where[0], out);
		break;
	default:
		unsafe_get_user(*value, &from->where[3], out);
	}
	ret = uw05_other_type_error(0);
out:
	user_read_access_end();
	return ret;
}
