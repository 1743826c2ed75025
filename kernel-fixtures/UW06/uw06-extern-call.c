// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an out-of-line function is called between two accesses
 * Rule: UW06
 * Known: 67a0514afdbb, ia32_restore_sigcontext()
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw06_extern_call {
	int id;
	int flags;
};

extern int uw06_extern_call_encode(int flags);

int uw06_extern_call(struct uw06_extern_call __user *to, int id, int flags)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, efault);
	flags = uw06_extern_call_encode(flags);	/* want: UW06 */
	unsafe_put_user(flags, &to->flags, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw06_extern_call_clean(struct uw06_extern_call __user *to, int id, int flags)
{
	flags = uw06_extern_call_encode(flags);
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, efault);
	unsafe_put_user(flags, &to->flags, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
