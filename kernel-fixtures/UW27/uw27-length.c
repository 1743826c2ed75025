// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a length is tested, and fetched again where it is used
 * Rule: UW27
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw27_length {
	u32 words[8];
	u32 length;
};

int uw27_length(struct uw27_length __user *from, struct uw27_length *to)
{
	u32 length;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	if (length > 8)
		goto efault;
	unsafe_get_user(to->length, &from->length, efault);	/* want: UW27 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw27_length_of_loop(struct uw27_length __user *from, struct uw27_length *to)
{
	u32 length, i;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	if (length > 8)
		goto efault;
	unsafe_get_user(length, &from->length, efault);	/* want: UW27 */
	user_read_access_end();
	for (i = 0; i < length; i++)
		to->words[i] = 0;
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw27_length_clean(struct uw27_length __user *from, struct uw27_length *to)
{
	u32 length;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	if (length > 8)
		goto efault;
	to->length = length;
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw27_length_tested_again(struct uw27_length __user *from, struct uw27_length *to)
{
	u32 length;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	if (length > 8)
		goto efault;
	unsafe_get_user(length, &from->length, efault);
	if (length > 8)
		goto efault;
	to->length = length;
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

/* As for a sequence count: what was read between two of the same belongs together. */
int uw27_length_until_same(struct uw27_length __user *from, struct uw27_length *to)
{
	u32 before, after;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	do {
		unsafe_get_user(before, &from->length, efault);
		if (before > 8)
			goto efault;
		unsafe_get_user(to->words[0], &from->words[0], efault);
		unsafe_get_user(after, &from->length, efault);
	} while (before != after);
	to->length = after;
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

/* What was stored between them is read back. */
int uw27_length_stored(struct uw27_length __user *at, u32 *to)
{
	u32 length;

	if (!user_access_begin(at, sizeof(*at)))
		return -EFAULT;
	unsafe_get_user(length, &at->length, efault);
	if (length < 8)
		unsafe_put_user(length + 1, &at->length, efault);
	else
		unsafe_put_user(0U, &at->length, efault);
	unsafe_get_user(*to, &at->length, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

/* The second value is used whatever it is. */
int uw27_length_masked(struct uw27_length __user *from, struct uw27_length *to)
{
	u32 length;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	if (length < 8)
		unsafe_get_user(to->length, &from->words[length], efault);
	unsafe_get_user(length, &from->length, efault);
	unsafe_get_user(to->words[0], &from->words[length & 7], efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw27_length_of_second_window(struct uw27_length __user *from, struct uw27_length *to)
{
	u32 length;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	user_read_access_end();
	if (length > 8)
		return -EINVAL;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);	/* want: UW27 */
	user_read_access_end();
	to->length = length;
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw27_length_of_second_window_clean(struct uw27_length __user *from, struct uw27_length *to)
{
	u32 length;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	user_read_access_end();
	if (length > 8)
		return -EINVAL;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(to->words[0], &from->words[0], efault);
	user_read_access_end();
	to->length = length;
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw27_length_store_elsewhere(struct uw27_length __user *at, u32 *to)
{
	u32 length;

	if (!user_access_begin(at, sizeof(*at)))
		return -EFAULT;
	unsafe_get_user(length, &at->length, efault);
	if (length > 8)
		goto efault;
	unsafe_put_user(0U, &at->words[0], efault);
	unsafe_get_user(length, &at->length, efault);	/* want: UW27 */
	*to = length;
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
