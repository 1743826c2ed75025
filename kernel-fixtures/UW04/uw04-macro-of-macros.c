// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro of macros stores in a read window
 * Rule: UW04
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw04_macro_of_macros {
	int id;
	int flags;
};

#define uw04_one(value, to, label) unsafe_put_user(value, to, label)
#define uw04_both(id_, flags_, to, label)		\
do {							\
	uw04_one(id_, &(to)->id, label);		\
	uw04_one(flags_, &(to)->flags, label);		\
} while (0)

int uw04_macro_of_macros(struct uw04_macro_of_macros __user *to, int id)
{
	if (!user_read_access_begin(to, sizeof(*to)))
		return -EFAULT;
	uw04_both(id, 0, to, efault);	/* want: UW04 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw04_macro_of_macros_clean(struct uw04_macro_of_macros __user *to, int id)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	uw04_both(id, 0, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
