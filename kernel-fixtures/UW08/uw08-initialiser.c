// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure initialised in a block of a window
 * Rule: UW08
 * Known: B16: arch/x86 ia32_setup_rt_frame()
 * Unseen: objtool UW08: the compiler fills it in place
 * Unseen: objects UW08: the compiler fills it in place
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw08_initialiser {
	u64 first;
	u64 words[5];
};

int uw08_initialiser(u64 __user *from, bool wanted, u64 *sum)
{
	u64 value;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(value, (unsigned long __user *)from, efault);
	if (wanted) {
		struct uw08_initialiser filled = { .first = value };	/* want: UW08 */

		*sum += filled.first + filled.words[value & 3];
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw08_initialiser_clean(u64 __user *from, bool wanted, u64 *sum)
{
	struct uw08_initialiser filled = { };
	u64 value;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(value, (unsigned long __user *)from, efault);
	if (wanted) {
		filled.first = value;
		*sum += filled.first + filled.words[value & 3];
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
