// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the range and the accesses round or mask one number in two ways
 * Rule: UW05
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

#define UW05_SLOTS 32

int uw05_one_number_rounded(unsigned long __user *to, const unsigned long *from, unsigned int bits)
{
	unsigned int i;

	if (bits > 512)
		return -EINVAL;
	if (!user_write_access_begin(to, DIV_ROUND_UP(bits, 8)))
		return -EFAULT;
	for (i = 0; i < BITS_TO_LONGS(bits); i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_one_number_rounded_clean(unsigned long __user *to, const unsigned long *from, unsigned int bits)
{
	unsigned int i;

	if (bits > 512)
		return -EINVAL;
	if (!user_write_access_begin(to, BITS_TO_LONGS(bits) * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < BITS_TO_LONGS(bits); i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_one_number_multiple_clean(unsigned long __user *to, const unsigned long *from, unsigned int bits)
{
	unsigned int i;

	if (bits > 512 || bits % BITS_PER_LONG)
		return -EINVAL;
	if (!user_write_access_begin(to, DIV_ROUND_UP(bits, 8)))
		return -EFAULT;
	for (i = 0; i < BITS_TO_LONGS(bits); i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_one_number_around(u32 __user *slots, u32 tail, u32 count, const u32 *from)
{
	u32 i;

	tail %= UW05_SLOTS;
	if (count > UW05_SLOTS)
		return -EINVAL;
	if (!user_write_access_begin(slots + tail, count * sizeof(*slots)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], slots + (tail + i) % UW05_SLOTS, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_one_number_around_clean(u32 __user *slots, u32 tail, u32 count, const u32 *from)
{
	u32 i;

	tail %= UW05_SLOTS;
	if (count > UW05_SLOTS)
		return -EINVAL;
	if (!user_write_access_begin(slots, UW05_SLOTS * sizeof(*slots)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], slots + (tail + i) % UW05_SLOTS, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_one_number_room_clean(u32 __user *slots, u32 tail, u32 count, const u32 *from)
{
	u32 i;

	tail %= UW05_SLOTS;
	if (count > UW05_SLOTS - tail)
		return -EINVAL;
	if (!user_write_access_begin(slots + tail, count * sizeof(*slots)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(from[i], slots + (tail + i) % UW05_SLOTS, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
