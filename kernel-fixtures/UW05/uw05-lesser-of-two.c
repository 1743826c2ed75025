// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the window is for at most so many, and the loop takes all, one too many or at least so many
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

int uw05_lesser_of_two(u32 __user *to, const u32 *from, u32 n)
{
	u32 i;

	if (!user_write_access_begin(to, min(n, 8u) * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_left(u32 __user *to, const u32 *from, u32 n)
{
	int i;

	if (!user_write_access_begin(to, 13 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i <= 13; i++) {
		if (i >= n || !from[i])
			break;
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_greater(u32 __user *to, const u32 *from, u32 n)
{
	u32 i;

	if (!user_write_access_begin(to, n * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < max(n, 2u); i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_greater_clean(u32 __user *to, const u32 *from, u32 n)
{
	u32 i;

	n = max(n, 2u);
	if (!user_write_access_begin(to, n * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < max(n, 2u); i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_clean(u32 __user *to, const u32 *from, u32 n)
{
	u32 i;

	n = min(n, 8u);
	if (!user_write_access_begin(to, n * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_left_clean(u32 __user *to, const u32 *from, u32 n)
{
	int i;

	if (!user_write_access_begin(to, 13 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i <= 13; i++) {
		if (i >= n || !from[i] || i == 13)
			break;
		unsafe_put_user(from[i], to + i, efault);
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_numbers(u8 __user *to, const u8 *from, size_t have, size_t want)
{
	size_t i;

	if (!user_write_access_begin(to, min(have, want)))
		return -EFAULT;
	for (i = 0; i < want; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_numbers_clean(u8 __user *to, const u8 *from, size_t have, size_t want)
{
	size_t i, number = min(have, want);

	if (!user_write_access_begin(to, want))
		return -EFAULT;
	for (i = 0; i < number; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_again(u16 __user *to, u16 *seen, const u32 *n, u32 most)
{
	u32 i, number = min(*n, most);

	if (!user_read_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < *n; i++)
		unsafe_get_user(seen[i], to + i, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_again_clean(u16 __user *to, u16 *seen, const u32 *n, u32 most)
{
	u32 i, number = min(*n, most);

	if (!user_read_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < number; i++)
		unsafe_get_user(seen[i], to + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_tested(u64 __user *to, const u64 *from, u32 some, u32 all)
{
	u32 i;

	if (some > all)
		return -EINVAL;
	if (!user_write_access_begin(to, some * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < all; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* Not all of them are stored. */
int uw05_lesser_of_two_tested_clean(u64 __user *to, const u64 *from, u32 some, u32 all)
{
	u32 i, stored = 0;

	if (some > all)
		return -EINVAL;
	if (!user_write_access_begin(to, some * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < all; i++) {
		if (!from[i])
			continue;
		unsafe_put_user(from[i], to + stored, efault);
		stored++;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_lesser_of_two_inside_clean(u64 __user *to, const u64 *from, u32 some, u32 all)
{
	u32 i;

	if (some > all)
		return -EINVAL;
	if (!user_write_access_begin(to, some * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < all; i++)
		if (i < some)
			unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
