// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call computes the value
 * Rule: UW06, UW11
 * Known: B17: arch/x86 before 2a418cf3f5f1; B19, B20: put_user() of a call on powerpc and riscv
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

u32 uw11_call_in_value_encode(u32 value);

int uw11_call_in_value(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(uw11_call_in_value_encode(value), to, efault);	/* want: UW06, UW11 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw11_call_in_value_clean(u32 __user *to, u32 value)
{
	u32 encoded = uw11_call_in_value_encode(value);

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(encoded, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
