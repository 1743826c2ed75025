// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that takes a mutex computes the value to store
 * Rule: UW09, UW11
 * Known: 94902d849e85 on arm64, d02f6b7dab82 on powerpc, 285a76bb2cf5 on riscv
 */
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

int uw09_lock_in_argument(int __user *to, struct mutex *lock)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(mutex_lock_interruptible(lock), to, efault);	/* want: UW09, UW11 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw09_lock_in_argument_clean(int __user *to, struct mutex *lock)
{
	int locked = mutex_lock_interruptible(lock);

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(locked, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
