// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the fault label prints before it ends the window
 * Rule: UW06
 */
#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/uaccess.h>

int uw06_printed_on_fault(const u32 __user *from, u32 *to)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	user_read_access_end();
	return 0;
efault:
	printk(KERN_INFO "no word at %p\n", from);	/* want: UW06 */
	user_read_access_end();
	return -EFAULT;
}

int uw06_printed_on_fault_clean(const u32 __user *from, u32 *to)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	printk(KERN_INFO "no word at %p\n", from);
	return -EFAULT;
}
