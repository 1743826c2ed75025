// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro opens a window for the function that uses it, and ends it again if it fails
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define clean_macro_opens_if(to_, limit_)				\
({										\
	u32 __user *__to = (to_);						\
	bool __open = user_write_access_begin(__to, sizeof(*__to));		\
										\
	if (__open && (limit_) > 8) {						\
		user_write_access_end();					\
		__open = false;							\
	}									\
	__open;									\
})

int clean_macro_opens(u32 __user *to, u32 limit)
{
	if (!clean_macro_opens_if(to, limit))
		return -EFAULT;
	unsafe_put_user(limit, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
