// SPDX-License-Identifier: GPL-2.0
/*
 * Title: every way out of a scope
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int clean_scope_ways_out(u32 __user *to, const u32 *from, unsigned int count)
{
	unsigned int i;
	u32 seen;

	for (i = 0; i < count; i++) {
		scoped_user_rw_access(to, efault) {
			unsafe_get_user(seen, to, efault);
			if (seen == from[i])
				return i;
			if (seen > from[i])
				goto larger;
			unsafe_put_user(from[i], to, efault);
		}
		to++;
	}
	if (put_user_inline(0U, to) || get_user_inline(seen, to))
		return -EFAULT;
	return seen;
larger:
	return -ERANGE;
efault:
	return -EFAULT;
}

/* The scope is entered again after it was left by a goto. */
int clean_scope_ways_out_again(u32 __user *from, unsigned int count)
{
	u32 seen, found = 0;

	for (; count; count--, from++) {
		scoped_user_read_access(from, next) {
			unsafe_get_user(seen, from, next);
			if (!seen)
				goto next;
			found++;
		}
next:
		;
	}
	return found;
}

/* A break leaves the scope before a label in it. */
int clean_scope_ways_out_label(u32 __user *at, u32 limit, u32 value)
{
	bool stored = false;
	u32 seen;

	scoped_user_rw_access(at, efault) {
		unsafe_get_user(seen, at, efault);
		if (seen > limit)
			goto clear;
		unsafe_put_user(value, at, efault);
		stored = true;
		break;
clear:
		unsafe_put_user(0U, at, efault);
	}
	return stored;
efault:
	return -EFAULT;
}
