// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the range is that of a member, and the access is to what contains it
 * Rule: UW05
 */
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_container {
	u32 head;
	u32 event;
	u32 tail;
};

int uw05_container(u32 __user *event, u32 value)
{
	struct uw05_container __user *all = container_of(event, struct uw05_container, event);

	if (!user_write_access_begin(event, sizeof(*event)))
		return -EFAULT;
	unsafe_put_user(value, event, efault);
	unsafe_put_user(value, &all->tail, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_container_clean(u32 __user *event, u32 value)
{
	struct uw05_container __user *all = container_of(event, struct uw05_container, event);

	if (!user_write_access_begin(all, sizeof(*all)))
		return -EFAULT;
	unsafe_put_user(value, event, efault);
	unsafe_put_user(value, &all->tail, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
