// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an index is masked with the number of elements, which leaves one bit of it
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define UW05_BIT_OF_INDEX 64

struct uw05_bit_of_index {
	u32 tail;
	u32 ring[UW05_BIT_OF_INDEX];
};

int uw05_bit_of_index(struct uw05_bit_of_index __user *to, u32 tail, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to->ring[tail & UW05_BIT_OF_INDEX], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_bit_of_index_clean(struct uw05_bit_of_index __user *to, u32 tail, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to->ring[tail & (UW05_BIT_OF_INDEX - 1)], efault);
	unsafe_put_user(value, &to->ring[tail % UW05_BIT_OF_INDEX], efault);
	unsafe_put_user(value, &to->ring[tail & 40], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
