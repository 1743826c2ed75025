// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper that is given the address of a pointer sets it
 * Rule: UW05, UW22
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw22_set_by_helper {
	u32 __user *ring;
	u32 place;
};

static __always_inline void uw22_set_by_helper_next(struct uw22_set_by_helper *from, u32 __user **to)
{
	*to = from->ring + from->place;
}

static __always_inline void uw22_set_by_helper_advance(struct uw22_set_by_helper *from, u32 __user **to)
{
	if (from->place)
		*to = *to + 1;
}

int uw22_set_by_helper(struct uw22_set_by_helper *from, u32 __user *to)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	uw22_set_by_helper_next(from, &to);
	unsafe_put_user(0, to, efault);	/* want: UW05, UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_set_by_helper_clean(struct uw22_set_by_helper *from, u32 __user *to)
{
	uw22_set_by_helper_next(from, &to);
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(0, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_set_by_helper_before(struct uw22_set_by_helper *from, u32 __user *to)
{
	u32 __user *next;

	uw22_set_by_helper_next(from, &next);
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(0, next, efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static __always_inline bool uw22_set_by_helper_open(struct uw22_set_by_helper *from, u32 __user **to)
{
	*to = from->ring;
	return user_write_access_begin(*to, sizeof(**to));
}

int uw22_set_by_helper_open_clean(struct uw22_set_by_helper *from, u32 __user *to)
{
	if (!uw22_set_by_helper_open(from, &to))
		return -EFAULT;
	unsafe_put_user(0, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_set_by_helper_advance_clean(struct uw22_set_by_helper *from, u32 __user *to)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	uw22_set_by_helper_advance(from, &to);
	unsafe_put_user(0, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
