// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable that is set in a scope has the name of one that the scope declares
 * Rule: UW20
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw20_name_of_scope(u32 __user *to, const u32 *from)
{
	int done = 0;

	scoped_user_write_access_size(to, 2 * sizeof(*to), efault) {
		unsafe_put_user(from[0], to, efault);
		unsafe_put_user(from[1], to + 1, efault);
		done = 2;	/* want: UW20 */
	}
	return done;
efault:
	return -EFAULT;
}

int uw20_name_of_scope_clean(u32 __user *to, const u32 *from)
{
	int stored = 0;

	scoped_user_write_access_size(to, 2 * sizeof(*to), efault) {
		unsafe_put_user(from[0], to, efault);
		unsafe_put_user(from[1], to + 1, efault);
		stored = 2;
	}
	return stored;
efault:
	return -EFAULT;
}

/* One of the block itself, and one around the scope */
int uw20_name_of_scope_own_clean(u32 __user *to, const u32 *from)
{
	int done = from[0];

	if (done)
		return 0;
	scoped_user_write_access(to, efault) {
		u32 done = from[1];

		unsafe_put_user(done, to, efault);
	}
	return 1;
efault:
	return -EFAULT;
}
