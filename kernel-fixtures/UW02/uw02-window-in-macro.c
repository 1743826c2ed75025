// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro contains a whole window, and its fault label lacks the end
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw02_window_in_macro {
	int id;
	int flags;
};

#define uw02_window_in_macro_get(id_, flags_, from_)				\
({										\
	__label__ faulted, closed;						\
	const struct uw02_window_in_macro __user *__from = (from_);		\
	int __ret = -EFAULT;							\
										\
	if (user_read_access_begin(__from, sizeof(*__from))) {			\
		unsafe_get_user(id_, &__from->id, faulted);			\
		unsafe_get_user(flags_, &__from->flags, faulted);		\
		user_read_access_end();						\
		__ret = 0;							\
	}									\
	goto closed;								\
faulted:									\
	__ret = -EAGAIN;							\
closed:										\
	__ret;									\
})	/* want[spatch]: UW02 */

#define uw02_window_in_macro_get_clean(id_, flags_, from_)			\
({										\
	__label__ faulted, closed;						\
	const struct uw02_window_in_macro __user *__from = (from_);		\
	int __ret = -EFAULT;							\
										\
	if (!user_read_access_begin(__from, sizeof(*__from)))			\
		goto closed;							\
	unsafe_get_user(id_, &__from->id, faulted);				\
	unsafe_get_user(flags_, &__from->flags, faulted);			\
	__ret = 0;								\
faulted:									\
	user_read_access_end();							\
closed:										\
	__ret;									\
})

#define uw02_window_in_macro_two(first_, second_, to_)				\
({										\
	__label__ faulted;							\
	u32 __user *__to = (to_);						\
	int __ret = -EFAULT;							\
										\
	if (!user_write_access_begin(__to, 2 * sizeof(*__to)))			\
		return -EFAULT;							\
	unsafe_put_user(first_, __to, faulted);					\
	if (!(second_))								\
		return -EINVAL;	/* want[spatch]: UW02 */			\
	unsafe_put_user(second_, __to + 1, faulted);				\
	__ret = 0;								\
faulted:									\
	user_write_access_end();						\
	__ret;									\
})

int uw02_window_in_macro_returns(u32 __user *to, u32 first, u32 second)
{
	return uw02_window_in_macro_two(first, second, to);	/* want[smatch, objtool, objects]: UW02 */
}

int uw02_window_in_macro(const struct uw02_window_in_macro __user *from, int *id)
{
	int flags = 0;
	int ret = uw02_window_in_macro_get(*id, flags, from);

	return ret ?: flags;	/* want[smatch, objtool, objects]: UW02 */
}

int uw02_window_in_macro_clean(const struct uw02_window_in_macro __user *from, int *id)
{
	int flags = 0;
	int ret = uw02_window_in_macro_get_clean(*id, flags, from);

	return ret ?: flags;
}
