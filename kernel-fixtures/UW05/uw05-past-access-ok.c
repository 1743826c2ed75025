// SPDX-License-Identifier: GPL-2.0
/*
 * Title: access_ok() was asked for one element, and the next one is accessed
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_past_access_ok(u64 __user *slots, u32 __user *count, u64 value)
{
	if (!access_ok(slots, sizeof(*slots)))
		return -EFAULT;
	if (!user_write_access_begin(count, sizeof(*count)))
		return -EFAULT;
	unsafe_put_user(1U, count, efault);
	unsafe_put_user(value, &slots[1], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_past_access_ok_clean(u64 __user *slots, u32 __user *count, u64 value)
{
	if (!access_ok(slots, 2 * sizeof(*slots)))
		return -EFAULT;
	if (!user_write_access_begin(count, sizeof(*count)))
		return -EFAULT;
	unsafe_put_user(1U, count, efault);
	unsafe_put_user(value, &slots[1], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_past_access_ok_twice_clean(u64 __user *slots, u32 __user *count, u64 value)
{
	if (!access_ok(slots, sizeof(*slots)) || !access_ok(slots + 1, sizeof(*slots)))
		return -EFAULT;
	if (!user_write_access_begin(count, sizeof(*count)))
		return -EFAULT;
	unsafe_put_user(1U, count, efault);
	unsafe_put_user(value, &slots[1], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_past_access_ok_number_clean(u64 __user *slots, u32 __user *count, u32 number, u64 value)
{
	if (!access_ok(slots, number * sizeof(*slots)))
		return -EFAULT;
	if (!user_write_access_begin(count, sizeof(*count)))
		return -EFAULT;
	unsafe_put_user(number, count, efault);
	unsafe_put_user(value, &slots[1], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_past_access_ok_fetched(u32 __user *__user *from, u32 *to)
{
	u32 __user *words;

	if (get_user(words, from))
		return -EFAULT;
	if (words && !access_ok(words, 2 * sizeof(*words)))
		return -EFAULT;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, words + 2, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

/* If it is NULL, no check would say more. */
int uw05_past_access_ok_fetched_clean(u32 __user *__user *from, u32 *to)
{
	u32 __user *words;

	if (get_user(words, from))
		return -EFAULT;
	if (words && !access_ok(words, 2 * sizeof(*words)))
		return -EFAULT;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, words + 1, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
