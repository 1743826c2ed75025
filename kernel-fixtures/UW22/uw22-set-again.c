// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is set to another address after its range was checked
 * Rule: UW22, UW05
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

struct uw22_set_again {
	u32 head;
	u32 tail;
};

int uw22_set_again(struct uw22_set_again __user *from, unsigned long next, u32 *to)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(to[0], &from->head, efault);
	from = (struct uw22_set_again __user *)next;
	unsafe_get_user(to[1], &from->tail, efault);	/* want: UW22 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw22_set_again_clean(struct uw22_set_again __user *from, unsigned long next, u32 *to)
{
	from = (struct uw22_set_again __user *)next;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	next = (unsigned long)&from->tail;
	unsafe_get_user(to[0], &from->head, efault);
	unsafe_get_user(to[1], (u32 __user *)next, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw22_set_again_swap(u32 __user *one, u32 __user *other, u32 value)
{
	if (!user_write_access_begin(one, sizeof(*one)))
		return -EFAULT;
	swap(one, other);
	unsafe_put_user(value, one, efault);	/* want: UW22, UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_set_again_swap_clean(u32 __user *one, u32 __user *other, u32 value)
{
	swap(one, other);
	if (!user_write_access_begin(one, sizeof(*one)))
		return -EFAULT;
	unsafe_put_user(value, one, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
