// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a range and accesses that hang on the same condition
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct clean_chosen_size {
	u32 kind;
	u32 value;
	u64 more;
};

int clean_chosen_size_clean(struct clean_chosen_size __user *to, bool more, u32 value)
{
	size_t size = more ? sizeof(*to) : offsetof(struct clean_chosen_size, more);

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(1U, &to->kind, efault);
	unsafe_put_user(value, &to->value, efault);
	if (more)
		unsafe_put_user(0ULL, &to->more, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
