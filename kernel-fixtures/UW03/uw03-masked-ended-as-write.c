// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a masked read window is ended as a write window
 * Rule: UW03
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw03_masked_ended_as_write(const unsigned long __user *from, unsigned long *to)
{
	from = masked_user_read_access_begin(from);
	unsafe_get_user(*to, from, efault);
	user_write_access_end();	/* want: UW03 */
	return 0;
efault:
	user_write_access_end();	/* want: UW03 */
	return -EFAULT;
}

int uw03_masked_ended_as_write_clean(const unsigned long __user *from, unsigned long *to)
{
	from = masked_user_read_access_begin(from);
	unsafe_get_user(*to, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
