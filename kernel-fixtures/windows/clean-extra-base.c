// SPDX-License-Identifier: GPL-2.0
/*
 * Title: stores to a place that was checked when it was registered
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct clean_extra_base {
	u64 start;
	u64 length;
};

struct clean_extra_base_task {
	u64 __user *registered;
};

int clean_extra_base_clean(struct clean_extra_base_task *task, struct clean_extra_base __user *section, u64 where)
{
	u64 start, length;

	scoped_user_rw_access(section, efault) {
		unsafe_get_user(start, (unsigned long __user *)&section->start, efault);
		unsafe_get_user(length, (unsigned long __user *)&section->length, efault);
		if (where - start >= length)
			unsafe_put_user(0ULL, task->registered, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
