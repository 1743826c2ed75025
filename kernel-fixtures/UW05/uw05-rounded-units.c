// SPDX-License-Identifier: GPL-2.0
/*
 * Title: bytes are opened, and units accessed whose number was rounded in another way
 * Rule: UW05
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/math.h>
#include <linux/uaccess.h>

int uw05_rounded_units(u64 __user *to, const u64 *from, size_t size)
{
	size_t i, units = (size + 7) / 8;

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < units; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_tested_clean(u64 __user *to, const u64 *from, size_t size)
{
	size_t i, units = (size + 7) / 8;

	if (size % 8)
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < units; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_begin(u64 __user *to, const u64 *from, size_t size)
{
	size_t i;

	if (!user_write_access_begin(to, size / 8 * 8))
		return -EFAULT;
	for (i = 0; i < DIV_ROUND_UP(size, 8); i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_begin_clean(u64 __user *to, const u64 *from, size_t size)
{
	size_t i;

	if (!user_write_access_begin(to, DIV_ROUND_UP(size, 8) * 8))
		return -EFAULT;
	for (i = 0; i < (size + 7) >> 3; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_bits(u64 __user *to, const u64 *from, u32 bits)
{
	u32 i;

	if (!user_write_access_begin(to, bits / 8))
		return -EFAULT;
	for (i = 0; i < DIV_ROUND_UP(bits, 64); i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_tail_clean(u8 __user *to, const u8 *from, size_t size)
{
	size_t i, units = size >> 3, tail = size & 7;

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < units; i++)
		unsafe_put_user(((u64 *)from)[i], (u64 __user *)to + i, efault);
	for (i = 0; i < tail; i++)
		unsafe_put_user(from[units * 8 + i], to + units * 8 + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_last(u32 __user *to, u32 size, u32 mark)
{
	if (size < 4 || !user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(mark, to + size / 4, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_last_clean(u32 __user *to, u32 size, u32 mark)
{
	if (size < 4 || !user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(mark, to + size / 4 - 1, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_limit(u32 __user *to, u32 place, u32 mark)
{
	if (place > 32)
		return -EINVAL;
	if (!user_write_access_begin(to, 16))
		return -EFAULT;
	unsafe_put_user(mark, to + (place >> 3), efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_limit_clean(u32 __user *to, u32 place, u32 mark)
{
	if (place >= 32)
		return -EINVAL;
	if (!user_write_access_begin(to, 16))
		return -EFAULT;
	unsafe_put_user(mark, to + (place >> 3), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_start(unsigned long to, u64 mark)
{
	unsigned long place = to - (to & 7);

	if (!user_write_access_begin((void __user *)to, sizeof(mark)))
		return -EFAULT;
	unsafe_put_user(mark, (u64 __user *)place, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_units_start_clean(unsigned long to, u64 mark)
{
	unsigned long place = to - (to & 7);

	if (place != to)
		return -EINVAL;
	if (!user_write_access_begin((void __user *)to, sizeof(mark)))
		return -EFAULT;
	unsafe_put_user(mark, (u64 __user *)place, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
