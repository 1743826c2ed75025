// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop of thousands of rounds, and a range for fewer of them
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_long_loop(u8 __user *to, const u8 *from, u64 position)
{
	size_t offset = position & (PAGE_SIZE - 1), i;

	if (!user_write_access_begin(to, PAGE_SIZE - offset))
		return -EFAULT;
	for (i = 0; i < PAGE_SIZE; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_long_loop_clean(u8 __user *to, const u8 *from, u64 position)
{
	size_t offset = position & (PAGE_SIZE - 1), i;

	if (!user_write_access_begin(to, PAGE_SIZE - offset))
		return -EFAULT;
	for (i = 0; i < PAGE_SIZE - offset; i++)
		unsafe_put_user(from[offset + i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_long_loop_fixed(u32 __user *to, const u32 *from)
{
	int i;

	if (!user_write_access_begin(to, 2 * PAGE_SIZE))
		return -EFAULT;
	for (i = 0; i < 2049; i++)
		unsafe_put_user(from[i], &to[i], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_long_loop_fixed_clean(u32 __user *to, const u32 *from)
{
	int i;

	if (!user_write_access_begin(to, 2 * PAGE_SIZE))
		return -EFAULT;
	for (i = 0; i < 2048; i++)
		unsafe_put_user(from[i], &to[i], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The pointer moves in some of the rounds only. */
int uw05_long_loop_pointer_clean(u32 __user *to, const u32 *from)
{
	int i;

	if (!user_write_access_begin(to, 1024 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < 4096; i++) {
		if (i & 3)
			continue;
		unsafe_put_user(from[i], to, efault);
		to++;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
