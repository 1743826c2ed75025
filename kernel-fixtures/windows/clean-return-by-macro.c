// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro of a header returns
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

struct clean_return_by_macro {
	u32 first, second;
};

u32 *clean_return_by_macro(const struct clean_return_by_macro __user *from)
{
	u32 *both __free(kfree) = kmalloc(sizeof(*from), GFP_KERNEL);

	if (!both || !user_read_access_begin(from, sizeof(*from)))
		return NULL;
	unsafe_get_user(both[0], &from->first, efault);
	unsafe_get_user(both[1], &from->second, efault);
	user_read_access_end();
	return_ptr(both);
efault:
	user_read_access_end();
	return NULL;
}
