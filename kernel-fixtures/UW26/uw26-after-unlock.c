// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault is forgotten, and then what is always done at the end is done
 * Rule: UW26
 */
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

int uw26_after_unlock(u32 __user *to, struct mutex *lock, u32 first, u32 second)
{
	int ret = -EFAULT;

	mutex_lock(lock);
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		goto unlock;
	unsafe_put_user(first, to, fault);	/* want: UW26 */
	unsafe_put_user(second, to + 1, fault);	/* want: UW26 */
fault:
	user_write_access_end();
	ret = 0;
unlock:
	mutex_unlock(lock);
	return ret;
}

int uw26_after_unlock_clean(u32 __user *to, struct mutex *lock, u32 first, u32 second)
{
	int ret = -EFAULT;

	mutex_lock(lock);
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		goto unlock;
	unsafe_put_user(first, to, fault);
	unsafe_put_user(second, to + 1, fault);
	ret = 0;
fault:
	user_write_access_end();
unlock:
	mutex_unlock(lock);
	return ret;
}

void uw26_after_unlock_note(struct mutex *lock, int err);

/* What is done at the end is told of it. */
int uw26_after_unlock_told_clean(u32 __user *to, struct mutex *lock, u32 value)
{
	int err = -EFAULT, ret = -EFAULT;

	if (!user_write_access_begin(to, sizeof(*to)))
		return ret;
	unsafe_put_user(value, to, fault);
	err = 0;
fault:
	user_write_access_end();
	ret = 0;
	uw26_after_unlock_note(lock, err);
	return ret;
}

void uw26_after_unlock_slow(u32 __user *to, u32 value);

int uw26_after_unlock_slow_clean(u32 __user *to, struct mutex *lock, u32 value)
{
	int ret = -EFAULT;

	if (!user_write_access_begin(to, sizeof(*to)))
		return ret;
	unsafe_put_user(value, to, fault);
	user_write_access_end();
	ret = 0;
	goto out;
fault:
	user_write_access_end();
	uw26_after_unlock_slow(to, value);
	ret = 0;
out:
	mutex_unlock(lock);
	return ret;
}
