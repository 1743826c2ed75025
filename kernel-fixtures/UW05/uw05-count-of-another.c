// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop or a copy goes to a count of user memory, and the range is for another count
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

struct uw05_count_of_another {
	u32 count;
	u32 flags;
};

bool uw05_count_of_another_fits(const struct uw05_count_of_another *head, u32 room);

int uw05_count_of_another(struct uw05_count_of_another __user *head, u32 __user *from,
			  u32 *to, u32 room)
{
	u32 count, i;

	if (get_user(count, &head->count))
		return -EFAULT;
	if (!user_read_access_begin(from, room * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_get_user(to[i], from + i, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_count_of_another_copied(struct uw05_count_of_another __user *head, u32 __user *from,
				 u32 *to, u32 room)
{
	struct uw05_count_of_another own;
	u32 i;

	if (copy_from_user(&own, head, sizeof(own)))
		return -EFAULT;
	if (!user_read_access_begin(from, room * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < own.count; i++)
		unsafe_get_user(to[i], from + i, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_count_of_another_down(struct uw05_count_of_another __user *head, u32 __user *from,
			       u32 *to, u32 room)
{
	u32 count;

	if (get_user(count, &head->count))
		return -EFAULT;
	if (!user_read_access_begin(from, room * sizeof(*from)))
		return -EFAULT;
	while (count--) {
		unsafe_get_user(*to, from, efault);	/* want: UW05 */
		from++;
		to++;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_count_of_another_whole(u32 __user *length, void __user *to, const void *from, u32 room)
{
	u32 bytes;

	if (get_user(bytes, length))
		return -EFAULT;
	check_object_size(from, bytes, true);
	if (!user_write_access_begin(to, room))
		return -EFAULT;
	unsafe_copy_to_user(to, from, bytes, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_count_of_another_whole_clean(u32 __user *length, void __user *to, const void *from, u32 room)
{
	u32 bytes;

	if (get_user(bytes, length))
		return -EFAULT;
	if (bytes > room)
		bytes = room;
	check_object_size(from, bytes, true);
	if (!user_write_access_begin(to, room))
		return -EFAULT;
	unsafe_copy_to_user(to, from, bytes, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_count_of_another_clean(struct uw05_count_of_another __user *head, u32 __user *from,
				u32 *to, u32 room)
{
	u32 count, i;

	if (get_user(count, &head->count))
		return -EFAULT;
	if (!user_read_access_begin(from, count * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_get_user(to[i], from + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_count_of_another_compared_clean(struct uw05_count_of_another __user *head, u32 __user *from,
					 u32 *to, u32 room)
{
	u32 count, i;

	if (get_user(count, &head->count))
		return -EFAULT;
	if (count > room)
		return -EINVAL;
	if (!user_read_access_begin(from, room * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_get_user(to[i], from + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_count_of_another_lesser_clean(struct uw05_count_of_another __user *head, u32 __user *from,
				       u32 *to, u32 room)
{
	u32 count, i;

	if (get_user(count, &head->count))
		return -EFAULT;
	if (!user_read_access_begin(from, room * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < min(count, room); i++)
		unsafe_get_user(to[i], from + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_count_of_another_left_clean(struct uw05_count_of_another __user *head, u32 __user *from,
				     u32 *to, u32 room)
{
	u32 count, i;

	if (get_user(count, &head->count))
		return -EFAULT;
	if (!user_read_access_begin(from, room * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < count; i++) {
		if (i == room)
			break;
		unsafe_get_user(to[i], from + i, efault);
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_count_of_another_given_clean(struct uw05_count_of_another __user *head, u32 __user *from,
				      u32 *to, u32 room)
{
	struct uw05_count_of_another own;
	u32 i;

	if (copy_from_user(&own, head, sizeof(own)))
		return -EFAULT;
	if (!uw05_count_of_another_fits(&own, room))
		return -EINVAL;
	if (!user_read_access_begin(from, room * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < own.count; i++)
		unsafe_get_user(to[i], from + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_count_of_another_limited_clean(struct uw05_count_of_another __user *head, u32 __user *from,
					u32 *to, u32 room)
{
	struct uw05_count_of_another own;
	u32 i;

	if (copy_from_user(&own, head, sizeof(own)))
		return -EFAULT;
	own.count = min(own.count, room);
	if (!user_read_access_begin(from, room * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < own.count; i++)
		unsafe_get_user(to[i], from + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
