// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer to user space has another name
 * Verdict: proven
 */
#include <linux/uaccess.h>

int subject(void __user *p, int n)
{
	return put_user(n, (int __user *)p);
}
