// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure assigned in a window
 * Rule: UW08
 * Unseen: objtool UW08: the compiler copies it in place
 * Unseen: objects@x86-64 UW08: the compiler copies it in place
 * Unseen: objects@i386 UW08: the compiler copies it in place
 * Unseen: objects@arm64 UW08: the compiler copies it in place
 * Unseen: objects@powerpc-book3s64 UW08: the compiler copies it in place
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw08_struct_assignment {
	u64 words[6];
};

int uw08_struct_assignment(u64 __user *to, struct uw08_struct_assignment *kept, const struct uw08_struct_assignment *fresh)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	*kept = *fresh;	/* want: UW08 */
	unsafe_put_user(kept->words[0], to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw08_struct_assignment_clean(u64 __user *to, struct uw08_struct_assignment *kept, const struct uw08_struct_assignment *fresh)
{
	*kept = *fresh;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(kept->words[0], to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
