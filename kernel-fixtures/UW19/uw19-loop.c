// SPDX-License-Identifier: GPL-2.0
/*
 * Title: eight bytes read in a loop, through a macro
 * Rule: UW19
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define uw19_loop_get(to, from, i, label)	unsafe_get_user((to)[i], (from) + (i), label)

int uw19_loop(const s64 __user *from, s64 *to)
{
	int i;

	if (!user_read_access_begin(from, 4 * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < 4; i++)
		uw19_loop_get(to, from, i, efault);	/* want: UW19 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw19_loop_clean(const long __user *from, long *to)
{
	int i;

	if (!user_read_access_begin(from, 4 * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < 4; i++)
		uw19_loop_get(to, from, i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
