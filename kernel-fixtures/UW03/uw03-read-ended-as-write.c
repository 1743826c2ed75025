// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a read window is ended as a write window
 * Rule: UW03
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw03_read_ended_as_write {
	int id;
	int flags;
};

int uw03_read_ended_as_write(struct uw03_read_ended_as_write __user *from, int *id, int *flags)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*id, &from->id, efault);
	unsafe_get_user(*flags, &from->flags, efault);
	user_write_access_end();	/* want: UW03 */
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw03_read_ended_as_write_clean(struct uw03_read_ended_as_write __user *from, int *id, int *flags)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*id, &from->id, efault);
	unsafe_get_user(*flags, &from->flags, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
