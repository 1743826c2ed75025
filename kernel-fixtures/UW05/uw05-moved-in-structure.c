// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper moves the pointer that a structure has past the range
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_moved_in_structure {
	u32 first;
	u32 second;
};

struct uw05_moved_in_structure_place {
	struct uw05_moved_in_structure __user *at;
};

static __always_inline void uw05_moved_in_structure_next(struct uw05_moved_in_structure_place *place)
{
	place->at++;
}

int uw05_moved_in_structure(struct uw05_moved_in_structure_place *place, u32 first, u32 second)
{
	if (!user_write_access_begin(place->at, sizeof(*place->at)))
		return -EFAULT;
	unsafe_put_user(first, &place->at->first, efault);
	uw05_moved_in_structure_next(place);
	unsafe_put_user(second, &place->at->second, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_moved_in_structure_clean(struct uw05_moved_in_structure_place *place, u32 first, u32 second)
{
	if (!user_write_access_begin(place->at, 2 * sizeof(*place->at)))
		return -EFAULT;
	unsafe_put_user(first, &place->at->first, efault);
	uw05_moved_in_structure_next(place);
	unsafe_put_user(second, &place->at->second, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
