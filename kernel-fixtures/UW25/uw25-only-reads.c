// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a window for both directions that only reads
 * Rule: UW25
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw25_only_reads {
	u32 start;
	u32 length;
};

int uw25_only_reads(u32 *start, u32 *length, struct uw25_only_reads __user *from)
{
	if (!user_access_begin(from, sizeof(*from)))	/* want: UW25 */
		return -EFAULT;
	unsafe_get_user(*start, &from->start, efault);
	unsafe_get_user(*length, &from->length, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw25_only_reads_clean(u32 *start, u32 *length, struct uw25_only_reads __user *from)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*start, &from->start, efault);
	unsafe_get_user(*length, &from->length, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

/* On a path of its own the window writes, too. */
int uw25_only_reads_acknowledged_clean(struct uw25_only_reads __user *from, u32 *start, bool ack)
{
	if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*start, &from->start, efault);
	if (ack)
		unsafe_put_user(0, &from->length, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
