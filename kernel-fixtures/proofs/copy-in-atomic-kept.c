// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy that may not sleep is kept
 * Verdict: proven
 */
#include <linux/uaccess.h>

int subject(int *a, const int __user *u)
{
	int left;

	pagefault_disable();
	left = __copy_from_user_inatomic(a, u, sizeof(*a));
	pagefault_enable();
	if (left)
		return -EFAULT;
	return 0;
}
