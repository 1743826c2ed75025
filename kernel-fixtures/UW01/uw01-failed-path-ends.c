// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a failed begin jumps to the label that ends the window
 * Rule: UW01, UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw01_failed_path_ends {
	int id;
	int flags;
};

int uw01_failed_path_ends(struct uw01_failed_path_ends __user *from, int *id, int *flags)
{
	if (!user_read_access_begin(from, sizeof(*from)))	/* want: UW01 */
		goto efault;
	unsafe_get_user(*id, &from->id, efault);
	unsafe_get_user(*flags, &from->flags, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();	/* want: UW02 */
	return -EFAULT;
}

int uw01_failed_path_ends_clean(struct uw01_failed_path_ends __user *from, int *id, int *flags)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		goto invalid;
	unsafe_get_user(*id, &from->id, efault);
	unsafe_get_user(*flags, &from->flags, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
invalid:
	return -EFAULT;
}
