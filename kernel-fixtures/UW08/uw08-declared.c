// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array declared in a scope
 * Rule: UW08
 * Tree: scoped
 * Unseen: objtool UW08: the compiler fills it in place
 * Unseen: objects UW08: the compiler fills it in place
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw08_declared(u32 __user *from, u32 *sum)
{
	scoped_user_read_access_size(from, 8 * sizeof(*from), efault) {
		u32 words[8];	/* want: UW08 */
		int i;

		for (i = 0; i < 8; i++)
			unsafe_get_user(words[i], &from[i], efault);
		*sum = words[0] + words[*sum & 7];
	}
	return 0;
efault:
	return -EFAULT;
}

int uw08_declared_clean(u32 __user *from, u32 *sum)
{
	u32 words[8];

	scoped_user_read_access_size(from, 8 * sizeof(*from), efault) {
		int i;

		for (i = 0; i < 8; i++)
			unsafe_get_user(words[i], &from[i], efault);
	}
	*sum = words[0] + words[*sum & 7];
	return 0;
efault:
	return -EFAULT;
}
