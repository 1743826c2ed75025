// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a window in a macro used as a condition has no end
 * Rule: UW02
 * Unseen: spatch UW02: it does not look into macros
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw02_window_in_condition {
	unsigned int flags;
	unsigned long first;
};

#define uw02_window_in_condition_left(flags_, first_, p) ({		\
	__label__ failed, failed_begin;					\
	int __ret = -EFAULT;						\
									\
	if (!user_read_access_begin((p), sizeof(*(p))))			\
		goto failed_begin;					\
	unsafe_get_user(flags_, &(p)->flags, failed);			\
	unsafe_get_user(first_, &(p)->first, failed);			\
	__ret = 0;							\
failed:									\
failed_begin:								\
	__ret;								\
})

#define uw02_window_in_condition_ended(flags_, first_, p) ({		\
	__label__ failed, failed_begin;					\
	int __ret = -EFAULT;						\
									\
	if (!user_read_access_begin((p), sizeof(*(p))))			\
		goto failed_begin;					\
	unsafe_get_user(flags_, &(p)->flags, failed);			\
	unsafe_get_user(first_, &(p)->first, failed);			\
	__ret = 0;							\
failed:									\
	user_read_access_end();						\
failed_begin:								\
	__ret;								\
})

int uw02_window_in_condition(const struct uw02_window_in_condition __user *from,
			     struct uw02_window_in_condition *to)
{
	unsigned int flags;

	if (uw02_window_in_condition_left(flags, to->first, from))
		return -EFAULT;	/* want: UW02 */
	to->flags = flags;
	return 0;	/* want: UW02 */
}

int uw02_window_in_condition_negated(const struct uw02_window_in_condition __user *from,
				     struct uw02_window_in_condition *to)
{
	int ret = 0;

	if (!uw02_window_in_condition_left(to->flags, to->first, from))
		ret = 1;
	return ret;	/* want: UW02 */
}

int uw02_window_in_condition_loop(const struct uw02_window_in_condition __user *from,
				  struct uw02_window_in_condition *to, int n)
{
	while (n-- && !uw02_window_in_condition_ended(to->flags, to->first, from))
		from++;
	if (n < 0)
		return 0;
	if (uw02_window_in_condition_left(to->flags, to->first, from) == -EFAULT)
		return -EFAULT;	/* want: UW02 */
	return 1;	/* want[smatch, objects]: UW02 */
}

int uw02_window_in_condition_clean(const struct uw02_window_in_condition __user *from,
				   struct uw02_window_in_condition *to)
{
	unsigned int flags;

	if (uw02_window_in_condition_ended(flags, to->first, from))
		return -EFAULT;
	to->flags = flags;
	return 0;
}
