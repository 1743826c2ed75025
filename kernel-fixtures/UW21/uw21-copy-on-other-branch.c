// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one branch opens the window that both use
 * Rule: UW21, UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw21_copy_on_other_branch(void __user *to, const void *from, size_t size, bool checked)
{
	check_object_size(from, size, true);
	if (!checked) {
		if (!user_write_access_begin(to, size))
			return -EFAULT;
	}
	unsafe_copy_to_user(to, from, size, efault);	/* want: UW21 */
	user_write_access_end();	/* want: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want[spatch, smatch, objects]: UW02 */
	return -EFAULT;
}

int uw21_copy_on_other_branch_clean(void __user *to, const void *from, size_t size, bool checked)
{
	check_object_size(from, size, true);
	if (!checked && size > PAGE_SIZE)
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_copy_to_user(to, from, size, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
