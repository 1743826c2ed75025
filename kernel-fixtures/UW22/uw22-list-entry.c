// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer in the first entry of a list was checked, and that of another one is used
 * Rule: UW22
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/uaccess.h>

struct uw22_list_entry {
	struct list_head node;
	u32 __user *place;
	u32 value;
};

int uw22_list_entry(struct list_head *all)
{
	struct uw22_list_entry *one;

	one = list_first_entry(all, struct uw22_list_entry, node);
	if (!user_write_access_begin(one->place, sizeof(u32)))
		return -EFAULT;
	list_for_each_entry(one, all, node)
		unsafe_put_user(one->value, one->place, efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_list_entry_next(struct list_head *all)
{
	struct uw22_list_entry *one;

	one = list_first_entry(all, struct uw22_list_entry, node);
	if (!user_write_access_begin(one->place, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(one->value, one->place, efault);
	one = list_next_entry(one, node);
	unsafe_put_user(one->value, one->place, efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_list_entry_clean(struct list_head *all)
{
	struct uw22_list_entry *one;

	list_for_each_entry(one, all, node) {
		if (!user_write_access_begin(one->place, sizeof(u32)))
			return -EFAULT;
		unsafe_put_user(one->value, one->place, efault);
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_list_entry_first_clean(struct list_head *all)
{
	struct uw22_list_entry *one;
	u32 __user *place;

	place = list_first_entry(all, struct uw22_list_entry, node)->place;
	if (!user_write_access_begin(place, sizeof(u32)))
		return -EFAULT;
	list_for_each_entry(one, all, node)
		unsafe_put_user(one->value, place, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
