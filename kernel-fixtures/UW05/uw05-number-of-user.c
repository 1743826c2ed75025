// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an index, a count or a length comes from user memory, and nothing limits it
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

struct uw05_number_of_user {
	u32 head;
	u32 count;
	u16 ring[16];
};

int uw05_number_of_user(struct uw05_number_of_user __user *from, u16 *value)
{
	u32 head;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(head, &from->head, efault);
	unsafe_get_user(*value, &from->ring[head], efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_number_of_user_loop(struct uw05_number_of_user __user *from, u16 *values)
{
	u32 count, i;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(count, &from->count, efault);
	for (i = 0; i < count; i++)
		unsafe_get_user(values[i], &from->ring[i], efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_number_of_user_negative(struct uw05_number_of_user __user *from, int __user *where, u16 *value)
{
	int head;

	if (get_user(head, where) || head >= 16)
		return -EFAULT;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*value, &from->ring[head], efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_number_of_user_length(u16 __user *to, int __user *where, const u16 *from)
{
	int length;

	if (get_user(length, where) || length > 32)
		return -EFAULT;
	check_object_size(from, length, true);
	if (!user_write_access_begin(to, 32))
		return -EFAULT;
	unsafe_copy_to_user(to, from, length, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_number_of_user_clean(struct uw05_number_of_user __user *from, u16 *value)
{
	u32 head;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(head, &from->head, efault);
	if (head < 16)
		unsafe_get_user(*value, &from->ring[head], efault);
	unsafe_get_user(head, &from->head, efault);
	unsafe_get_user(*value, &from->ring[head & 15], efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_number_of_user_compared_clean(struct uw05_number_of_user __user *from, u16 *value, u32 size)
{
	u32 head;

	if (size > 16)
		return -EINVAL;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(head, &from->head, efault);
	if (head < size)
		unsafe_get_user(*value, &from->ring[head], efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_number_of_user_loop_clean(struct uw05_number_of_user __user *from, u16 *values)
{
	u32 count, i;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(count, &from->count, efault);
	for (i = 0; i < min_t(u32, count, 16); i++)
		unsafe_get_user(values[i], &from->ring[i], efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_number_of_user_range_clean(struct uw05_number_of_user __user *from, u16 *values)
{
	u16 __user *ring = from->ring;
	u32 count, i;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(count, &from->count, efault);
	user_read_access_end();
	if (!user_read_access_begin(ring, count * sizeof(*ring)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_get_user(values[i], &ring[i], efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_number_of_user_negative_clean(struct uw05_number_of_user __user *from, int __user *where, u16 *value)
{
	int head;

	if (get_user(head, where) || head < 0 || head >= 16)
		return -EFAULT;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*value, &from->ring[head], efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_number_of_user_unsigned_clean(struct uw05_number_of_user __user *from, int __user *where, u16 *value)
{
	int head;

	if (get_user(head, where) || (unsigned int)head >= 16)
		return -EFAULT;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*value, &from->ring[head], efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_number_of_user_length_clean(u16 __user *to, int __user *where, const u16 *from)
{
	int length;

	if (get_user(length, where) || length < 0 || length > 32)
		return -EFAULT;
	check_object_size(from, length, true);
	if (!user_write_access_begin(to, 32))
		return -EFAULT;
	unsafe_copy_to_user(to, from, length, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_number_of_user_length_unsigned_clean(u16 __user *to, int __user *where, const u16 *from)
{
	int length;

	if (get_user(length, where) || length > 16 * sizeof(*to))
		return -EFAULT;
	check_object_size(from, length, true);
	if (!user_write_access_begin(to, 32))
		return -EFAULT;
	unsafe_copy_to_user(to, from, length, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
