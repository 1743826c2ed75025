// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer to user space is no longer said to be one, where sparse is silent
 * Verdict: not proven
 * Says: __user is for sparse, warnings or other builds
 */
#include <linux/types.h>

int subject(unsigned long argument, int value)
{
	void __user *p = (void __user *)argument;

	return p ? value + 1 : 0;
}
