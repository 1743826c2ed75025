// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the masked pointer is not used
 * Rule: UW01, UW14
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw01_masked_ignored(unsigned int __user *from, unsigned int *to)
{
	if (can_do_masked_user_access())
		masked_user_access_begin(from);	/* want: UW01 */
	else if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);	/* want[spatch]: UW14 */
	unsafe_put_user(0, from, efault);	/* want[spatch]: UW14 */
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw01_masked_ignored_clean(unsigned int __user *from, unsigned int *to)
{
	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	unsafe_put_user(0, from, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw01_masked_ignored_unread(unsigned int __user *from, unsigned int value)
{
	unsigned int __user *safe = masked_user_access_begin(from);	/* want[spatch]: UW01 */
	int err;

	asm volatile("1: movl %2, %1\n2:\n" _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_EFAULT_REG, %0) : "=r" (err), "=m" (*from) : "r" (value), "0" (0));
	user_access_end();
	return err;
}

int uw01_masked_ignored_unread_clean(unsigned int __user *from, unsigned int value)
{
	unsigned int __user *safe = masked_user_access_begin(from);
	int err;

	asm volatile("1: movl %2, %1\n2:\n" _ASM_EXTABLE_TYPE_REG(1b, 2b, EX_TYPE_EFAULT_REG, %0) : "=r" (err), "=m" (*safe) : "r" (value), "0" (0));
	user_access_end();
	return err;
}
