// SPDX-License-Identifier: GPL-2.0
/* A name alone opens a window, uses it, or ends it. */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define OPEN user_write_access_begin(to, sizeof(*to))
#define CLOSE user_write_access_end()
#define STORE unsafe_put_user(value, to, fault)
#define NEXT (value + 1)

int opened_by_a_name(u32 __user *to, u32 value)
{
	if (!OPEN)	/* not followed */
		return -EFAULT;
	unsafe_put_user(value, to, fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

int ended_by_a_name(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(NEXT, to, fault);
	CLOSE;	/* not followed */
	return 0;

fault:
	CLOSE;
	return -EFAULT;
}

int stored_by_a_name(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	STORE;	/* not followed */
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

int value_by_a_name(u32 __user *to, u32 value)
{
	if (!user_read_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(NEXT, to, fault);	/* want: UW04 */
	user_read_access_end();
	return 0;

fault:
	user_read_access_end();
	return -EFAULT;
}
