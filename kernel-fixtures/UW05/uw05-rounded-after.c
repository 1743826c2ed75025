// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a size or a pointer is rounded after the range was checked
 * Rule: UW05
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/math.h>
#include <linux/uaccess.h>

int uw05_rounded_after(u8 __user *to, size_t size, u32 mark)
{
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(mark, (u32 __user *)(to + round_up(size, 4) - 4), efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_after_pointer(u8 __user *to, u64 mark)
{
	if (!user_write_access_begin(to, sizeof(mark)))
		return -EFAULT;
	unsafe_put_user(mark, PTR_ALIGN((u64 __user *)to, 8), efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_after_clean(u8 __user *to, size_t size, u32 mark)
{
	size = ALIGN(size, 4);
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(mark, (u32 __user *)(to + ALIGN(size, 4) - 4), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_after_tested_clean(u8 __user *to, size_t size, u32 mark)
{
	if (size & 3 || !size)
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(mark, (u32 __user *)(to + ALIGN(size, 4) - 4), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_after_words_clean(u8 __user *to, u32 words, u32 mark)
{
	if (!words || !user_write_access_begin(to, words * 4))
		return -EFAULT;
	unsafe_put_user(mark, (u32 __user *)(to + round_up(words * 4, 4) - 4), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_after_down_clean(u8 __user *to, size_t size, u32 mark)
{
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	if (size >= 4)
		unsafe_put_user(mark, (u32 __user *)(to + round_down(size, 4) - 4), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_after_padding_clean(u8 __user *to, size_t size, u8 mark)
{
	if (!user_write_access_begin(to, round_up(size, 4)))
		return -EFAULT;
	if (size & 3)
		unsafe_put_user(mark, to + size, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_after_room_clean(u8 __user *to, u64 mark)
{
	if (!user_write_access_begin(to, sizeof(mark) + 7))
		return -EFAULT;
	unsafe_put_user(mark, PTR_ALIGN((u64 __user *)to, 8), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_after_tail_clean(u8 __user *to, size_t size, const u8 *from)
{
	size_t i;

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < round_down(size, 8); i += 8)
		unsafe_put_user(0ULL, (u64 __user *)(to + i), efault);
	for (; i < size; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_after_start(unsigned long to, u64 mark)
{
	u64 __user *place = (u64 __user *)ALIGN_DOWN(to, 8);

	if (!user_write_access_begin((void __user *)to, sizeof(mark)))
		return -EFAULT;
	unsafe_put_user(mark, place, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_after_start_clean(unsigned long to, u64 mark)
{
	u64 __user *place = (u64 __user *)ALIGN_DOWN(to, 8);

	if (!access_ok(place, 2 * sizeof(mark)) ||
	    !user_write_access_begin((void __user *)to, sizeof(mark)))
		return -EFAULT;
	unsafe_put_user(mark, place, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
