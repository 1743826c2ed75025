// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop goes by words, and its bytes may be no multiple of that
 * Rule: UW05
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_no_multiple(u8 __user *to, const u32 *from, unsigned long bytes)
{
	unsigned long i;

	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < bytes; i += sizeof(*from))
		unsafe_put_user(*from++, (u32 __user *)(to + i), efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_no_multiple_clean(u8 __user *to, const u32 *from, unsigned long bytes)
{
	unsigned long i;

	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i + sizeof(*from) <= bytes; i += sizeof(*from))
		unsafe_put_user(*from++, (u32 __user *)(to + i), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_no_multiple_tested_clean(u8 __user *to, const u32 *from, unsigned long bytes)
{
	unsigned long i;

	if (!IS_ALIGNED(bytes, sizeof(*from)))
		return -EINVAL;
	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < bytes; i += sizeof(*from))
		unsafe_put_user(*from++, (u32 __user *)(to + i), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_no_multiple_rounded_clean(u8 __user *to, const u32 *from, unsigned long bytes)
{
	unsigned long i;

	bytes = ALIGN_DOWN(bytes, sizeof(*from));
	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < bytes; i += sizeof(*from))
		unsafe_put_user(*from++, (u32 __user *)(to + i), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static int uw05_no_multiple_put_clean(u8 __user *to, const u32 *from, unsigned long bytes)
{
	unsigned long i;

	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < bytes; i += sizeof(*from))
		unsafe_put_user(*from++, (u32 __user *)(to + i), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_no_multiple_caller_clean(u8 __user *to, const u32 *from, u32 words)
{
	return uw05_no_multiple_put_clean(to, from, words * sizeof(*from));
}

int uw05_no_multiple_record(u8 __user *to, const u32 *from, unsigned long bytes)
{
	unsigned long i;

	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i < bytes; i += 8)
		unsafe_put_user(*from++, (u32 __user *)(to + i + 4), efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_no_multiple_record_clean(u8 __user *to, const u32 *from, unsigned long bytes)
{
	unsigned long i;

	if (!user_write_access_begin(to, bytes))
		return -EFAULT;
	for (i = 0; i + 8 <= bytes; i += 8)
		unsafe_put_user(*from++, (u32 __user *)(to + i + 4), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_no_multiple_pairs(u32 *sum, const u32 __user *from, u32 n)
{
	u32 i, first, second;

	if (!user_read_access_begin(from, n * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < n; i += 2) {
		unsafe_get_user(first, from + i, efault);
		unsafe_get_user(second, from + i + 1, efault);	/* want: UW05 */
		*sum += first * second;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_no_multiple_pairs_clean(u32 *sum, const u32 __user *from, u32 n)
{
	u32 i, first, second;

	if (n % 2)
		return -EINVAL;
	if (!user_read_access_begin(from, n * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < n; i += 2) {
		unsafe_get_user(first, from + i, efault);
		unsafe_get_user(second, from + i + 1, efault);
		*sum += first * second;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

/* The range is rounded to words, the loop goes by two. */
int uw05_no_multiple_words(u64 *to, const u32 __user *from, unsigned long bits)
{
	unsigned long words;
	u32 low, high;

	bits = ALIGN(bits, 32);
	words = bits / 32;
	if (!user_read_access_begin(from, bits / 8))
		return -EFAULT;
	while (words) {
		unsafe_get_user(low, from++, efault);
		unsafe_get_user(high, from++, efault);	/* want: UW05 */
		*to++ = (u64)high << 32 | low;
		words -= 2;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_no_multiple_words_clean(u64 *to, const u32 __user *from, unsigned long bits)
{
	unsigned long words;
	u32 low, high;

	bits = ALIGN(bits, 64);
	words = bits / 32;
	if (!user_read_access_begin(from, bits / 8))
		return -EFAULT;
	while (words) {
		unsafe_get_user(low, from++, efault);
		unsafe_get_user(high, from++, efault);
		*to++ = (u64)high << 32 | low;
		words -= 2;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
