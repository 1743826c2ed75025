// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer to user space is no longer said to be one, and has another name
 * Verdict: not proven
 * Says: __user is for sparse, warnings or other builds
 */
#include <linux/uaccess.h>

int subject(void __user *p, int n)
{
	return put_user(n, (int __user *)p);
}
