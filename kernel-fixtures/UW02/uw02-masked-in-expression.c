// SPDX-License-Identifier: GPL-2.0
/*
 * Title: masked or classic begins in a statement expression or a condition, with a way past the end
 * Rule: UW02
 * Unseen: spatch UW02: it does not look into macros
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define uw02_masked_in_expression_open(p) ({				\
	bool __open = true;						\
									\
	if (can_do_masked_user_access())				\
		p = masked_user_access_begin(p);			\
	else								\
		__open = user_access_begin(p, sizeof(*(p)));		\
	__open;								\
})

int uw02_masked_in_expression_condition(unsigned long __user *to, unsigned long value)
{
	if (!uw02_masked_in_expression_open(to))
		return -EFAULT;
	if (!value)
		return -EINVAL;	/* want: UW02 */
	unsafe_put_user(value, to, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw02_masked_in_expression_result(unsigned long __user *to, unsigned long value)
{
	bool open = uw02_masked_in_expression_open(to);

	if (open)
		return -EFAULT;	/* want: UW02 */
	return value;
}

int uw02_masked_in_expression_condition_clean(unsigned long __user *to, unsigned long value)
{
	if (!value)
		return -EINVAL;
	if (!uw02_masked_in_expression_open(to))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
