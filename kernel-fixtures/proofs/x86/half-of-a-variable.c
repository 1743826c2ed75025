// SPDX-License-Identifier: GPL-2.0
/*
 * Title: four bytes of a variable are copied, which has eight afterwards
 * Verdict: not proven
 * Says: byte order
 */
#include <linux/types.h>
#include <linux/uaccess.h>

int subject(u32 __user *u, u32 number)
{
	u32 value = number;

	return copy_to_user(u, &value, sizeof(*u)) ? -EFAULT : 0;
}
