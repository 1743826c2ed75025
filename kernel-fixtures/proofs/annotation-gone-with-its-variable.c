// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer to user space is not needed
 * Verdict: proven
 */
#include <linux/types.h>
#include <linux/uaccess.h>

int subject(unsigned long argument, int value)
{
	int __user *p = (int __user *)argument;

	return put_user(value, p);
}
