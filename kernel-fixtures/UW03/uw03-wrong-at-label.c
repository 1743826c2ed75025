// SPDX-License-Identifier: GPL-2.0
/*
 * Title: only the fault label uses another flavour of end
 * Rule: UW03
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw03_wrong_at_label(u32 __user *to, const u32 *from, unsigned int count)
{
	if (!user_write_access_begin(to, count * sizeof(*to)))
		goto fault;
	while (count--) {
		unsafe_put_user(*from, to, fault_end);
		from++;
		to++;
	}
	user_write_access_end();
	return 0;
fault_end:
	user_access_end();	/* want: UW03 */
fault:
	return -EFAULT;
}

int uw03_wrong_at_label_clean(u32 __user *to, const u32 *from, unsigned int count)
{
	if (!user_write_access_begin(to, count * sizeof(*to)))
		goto fault;
	while (count--) {
		unsafe_put_user(*from, to, fault_end);
		from++;
		to++;
	}
	user_write_access_end();
	return 0;
fault_end:
	user_write_access_end();
fault:
	return -EFAULT;
}
