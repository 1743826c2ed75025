// SPDX-License-Identifier: GPL-2.0
/*
 * Title: masked or classic begins in a statement expression or a condition
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define masked_in_expression_open(p) ({				\
	bool __open = true;						\
									\
	if (can_do_masked_user_access())				\
		p = masked_user_access_begin(p);			\
	else								\
		__open = user_access_begin(p, sizeof(*(p)));		\
	__open;								\
})

#define masked_in_expression_or_goto(p, label) ({			\
	if (can_do_masked_user_access())				\
		p = masked_user_access_begin(p);			\
	else if (!user_access_begin(p, sizeof(*(p))))			\
		goto label;						\
})

int clean_masked_in_expression_condition(unsigned long __user *to, unsigned long value)
{
	if (!masked_in_expression_open(to))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int clean_masked_in_expression_result(unsigned long __user *to, unsigned long value)
{
	bool open = masked_in_expression_open(to);

	if (!open)
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int clean_masked_in_expression_goto(unsigned long __user *to, unsigned long value)
{
	masked_in_expression_or_goto(to, denied);
	unsafe_put_user(value, to, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
denied:
	return -EFAULT;
}

int clean_masked_in_expression_flag(unsigned long __user *to, unsigned long *old)
{
	int ret = 0;

	if (can_do_masked_user_access())
		to = masked_user_access_begin(to);
	else if (!user_access_begin(to, sizeof(*to)))
		ret = -EFAULT;
	if (ret)
		return ret;
	unsafe_get_user(*old, to, efault);
	unsafe_put_user(0, to, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
