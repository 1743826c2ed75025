// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number of units is opened as that of bytes, or an index of more units than were opened is kept in range
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>

int uw05_units_for_bytes(u32 __user *to, u32 count, u32 value)
{
	u32 __user *end = to + count;

	if (!user_write_access_begin(to, count))
		return -EFAULT;
	while (to < end) {
		unsafe_put_user(value, to, efault);	/* want: UW05 */
		to++;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_units_for_bytes_clean(u32 __user *to, u32 count, u32 value)
{
	u32 __user *end = to + count;

	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	while (to < end) {
		unsafe_put_user(value, to, efault);
		to++;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_units_for_bytes_kept(u32 __user *to, u32 place, u32 value)
{
	if (place >= 8)
		return -EINVAL;
	place = array_index_nospec(place, 8);
	if (!user_write_access_begin(to, 7 * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to + place, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_units_for_bytes_kept_clean(u32 __user *to, u32 place, u32 value)
{
	if (place >= 8)
		return -EINVAL;
	place = array_index_nospec(place, 8);
	if (!user_write_access_begin(to, 8 * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to + place, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_units_for_bytes_between(u32 __user *to, u32 __user *end, u32 value)
{
	if (!user_write_access_begin(to, end - to))	/* want: UW05 */
		return -EFAULT;
	for (; to < end; to++)
		unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_units_for_bytes_between_clean(u32 __user *to, u32 __user *end, u32 value)
{
	if (!user_write_access_begin(to, (end - to) * sizeof(*to)))
		return -EFAULT;
	for (; to < end; to++)
		unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_units_for_bytes_chars_clean(u8 __user *to, u8 __user *end, u8 value)
{
	if (!user_write_access_begin(to, end - to))
		return -EFAULT;
	for (; to < end; to++)
		unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* Another function is given the address of the count, but after the loop. */
void uw05_units_for_bytes_left(u32 *count);

int uw05_units_for_bytes_taken(u32 *to, const u32 __user *from, u32 count)
{
	u32 value;

	count /= sizeof(*from);
	if (!user_read_access_begin(from, count))
		return -EFAULT;
	for (; count > 0; --count) {
		unsafe_get_user(value, from++, efault);	/* want: UW05 */
		*to++ = value;
	}
	user_read_access_end();
	uw05_units_for_bytes_left(&count);
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_units_for_bytes_taken_clean(u32 *to, const u32 __user *from, u32 count)
{
	u32 value;

	if (!user_read_access_begin(from, count))
		return -EFAULT;
	count /= sizeof(*from);
	for (; count > 0; --count) {
		unsafe_get_user(value, from++, efault);
		*to++ = value;
	}
	user_read_access_end();
	uw05_units_for_bytes_left(&count);
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

/* The function may change the count through the address that it was given. */
int uw05_units_for_bytes_given_clean(u32 *to, const u32 __user *from, u32 count)
{
	u32 value, left = count;

	uw05_units_for_bytes_left(&left);
	if (left > count / sizeof(*from) || !user_read_access_begin(from, count))
		return -EFAULT;
	for (; left > 0; --left) {
		unsafe_get_user(value, from++, efault);
		*to++ = value;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
