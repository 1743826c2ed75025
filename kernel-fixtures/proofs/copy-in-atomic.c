// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy that may not sleep becomes one that says that it may
 * Verdict: not proven
 * Says: with debugging options
 */
#include <linux/uaccess.h>

int subject(int *a, const int __user *u)
{
	int left;

	pagefault_disable();
	left = __copy_from_user_inatomic(a, u, sizeof(*a));
	pagefault_enable();
	return left;
}
