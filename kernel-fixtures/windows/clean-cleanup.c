// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable's cleanup ends the window, or a macro of a header returns
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

struct clean_cleanup {
	u32 first, second;
};

static __always_inline void clean_cleanup_end(bool *open)
{
	if (*open)
		user_write_access_end();
}

int clean_cleanup_variable(struct clean_cleanup __user *to, u32 value)
{
	/* smatch alone does not connect the variable with the window: `check` leaves out what it says */
	bool open __cleanup(clean_cleanup_end) =	/* want[smatch]: UW02 */
		user_write_access_begin(to, sizeof(*to));	/* want[smatch]: UW01 */

	if (!open)
		return -EFAULT;
	unsafe_put_user(value, &to->first, efault);
	unsafe_put_user(value, &to->second, efault);
	return 0;
efault:
	return -EFAULT;
}

u32 *clean_cleanup_return(const struct clean_cleanup __user *from)
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
