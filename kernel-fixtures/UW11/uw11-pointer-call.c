// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call computes the pointer, in a scope
 * Rule: UW06, UW11
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw11_pointer_call {
	u32 slots[8];
};

unsigned int uw11_pointer_call_index(const void *key);

int uw11_pointer_call(struct uw11_pointer_call __user *to, const void *key, u32 value)
{
	scoped_user_write_access(to, efault)
		unsafe_put_user(value, &to->slots[uw11_pointer_call_index(key) & 7], efault);	/* want: UW06, UW11 */
	return 0;
efault:
	return -EFAULT;
}

int uw11_pointer_call_clean(struct uw11_pointer_call __user *to, const void *key, u32 value)
{
	unsigned int i = uw11_pointer_call_index(key) & 7;

	scoped_user_write_access(to, efault)
		unsafe_put_user(value, &to->slots[i], efault);
	return 0;
efault:
	return -EFAULT;
}
