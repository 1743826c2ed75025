// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a constant limits the index, but not to the range
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_limited(u32 __user *slots, u32 slot, u32 value)
{
	if (!user_write_access_begin(slots, 8 * sizeof(*slots)))
		return -EFAULT;
	unsafe_put_user(value, &slots[slot & 15], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_limited_compared(u32 __user *slots, u32 slot, u32 value)
{
	if (slot > 8)
		return -EINVAL;
	if (!user_write_access_begin(slots, 8 * sizeof(*slots)))
		return -EFAULT;
	unsafe_put_user(value, slots + slot, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_limited_clean(u32 __user *slots, u32 slot, u32 value)
{
	if (!user_write_access_begin(slots, 8 * sizeof(*slots)))
		return -EFAULT;
	unsafe_put_user(value, &slots[slot & 7], efault);
	unsafe_put_user(value, &slots[slot % 8], efault);
	if (slot < 6)
		unsafe_put_user(value, &slots[slot & 15], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_limited_further_clean(u32 __user *slots, u32 slot, u32 used, u32 value)
{
	if (slot > 8 || slot >= used)
		return -EINVAL;
	if (used > 8 || !user_write_access_begin(slots, 8 * sizeof(*slots)))
		return -EFAULT;
	unsafe_put_user(value, slots + slot, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static bool uw05_limited_fits(u32 slot)
{
	return slot < 8;
}

int uw05_limited_by_call_clean(u32 __user *slots, u32 slot, u32 value)
{
	if (slot > 8 || !uw05_limited_fits(slot))
		return -EINVAL;
	if (!user_write_access_begin(slots, 8 * sizeof(*slots)))
		return -EFAULT;
	unsafe_put_user(value, slots + slot, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_limited_loop(u64 __user *to, const u64 *from, int count)
{
	int i;

	if (count > 6)
		return -EINVAL;
	if (!user_write_access_begin(to, 4 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_limited_loop_clean(u64 __user *to, const u64 *from, int count)
{
	int i;

	if (count > 4)
		return -EINVAL;
	if (!user_write_access_begin(to, 4 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_limited_loop_further_clean(u64 __user *to, const u64 *from, int count, int used)
{
	int i;

	if (count > 6 || count > used)
		return -EINVAL;
	if (!user_write_access_begin(to, 4 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
