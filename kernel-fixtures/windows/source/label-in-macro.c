// SPDX-License-Identifier: GPL-2.0
/* Broken: the fault label that a macro names itself is after the end */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define label_in_macro_put(value, to)				\
	unsafe_put_user(value, to, efault)

#define label_in_macro_both(value, to, label)			\
do {									\
	unsafe_put_user(value, to, label);				\
	label_in_macro_put(value, (to) + 1);			\
} while (0)

int label_in_macro(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	label_in_macro_put(value, to);
	user_write_access_end();
	return 0;
efault:
	return -EFAULT;	/* want: UW02 */
}

int label_in_macro_of_two(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	label_in_macro_both(value, to, efault_end);
	user_write_access_end();
	return 0;
efault_end:
	user_write_access_end();
efault:
	return -EFAULT;	/* want: UW02 */
}

int label_in_macro_clean(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	label_in_macro_both(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

#define label_in_macro_own(value, to)				\
({									\
	__label__ fault, out;						\
	int err_ = 0;							\
									\
	unsafe_put_user(value, to, fault);				\
	goto out;							\
fault:									\
	err_ = -EFAULT;							\
out:									\
	err_;								\
})

int label_in_macro_own_clean(u32 __user *to, u32 value)
{
	int err;

	if (!user_write_access_begin(to, sizeof(*to)))
		goto fault;
	err = label_in_macro_own(value, to);
	user_write_access_end();
	return err;
fault:
	return -EFAULT;
}
