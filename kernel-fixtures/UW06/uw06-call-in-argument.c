// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call that computes a value moved into the window with the store
 * Rule: UW06, UW11
 * Known: c120f3b81ede, cp_stat64() of sys_ia32
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw06_call_in_argument {
	int id;
	int flags;
};

static noinline int uw06_call_in_argument_encode(int flags)
{
	return flags ^ (flags >> 8);
}

int uw06_call_in_argument(struct uw06_call_in_argument __user *to, int id, int flags)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, efault);
	unsafe_put_user(uw06_call_in_argument_encode(flags), &to->flags, efault);	/* want: UW06, UW11 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw06_call_in_argument_clean(struct uw06_call_in_argument __user *to, int id, int flags)
{
	int encoded = uw06_call_in_argument_encode(flags);

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, efault);
	unsafe_put_user(encoded, &to->flags, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
