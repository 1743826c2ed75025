// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the rows of a table are further apart than the size is computed for
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_step_left_out(u32 __user *to, const u32 *from, u32 width, u32 rows, u32 pitch)
{
	u32 row, x;

	if (!user_write_access_begin(to, (size_t)width * rows * sizeof(*to)))
		return -EFAULT;
	for (row = 0; row < rows; row++) {
		for (x = 0; x < width; x++)
			unsafe_put_user(*from++, to + x, efault);	/* want: UW05 */
		to += pitch;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_step_left_out_clean(u32 __user *to, const u32 *from, u32 width, u32 rows, u32 pitch)
{
	u32 row, x;

	if (width > pitch || !user_write_access_begin(to, (size_t)pitch * rows * sizeof(*to)))
		return -EFAULT;
	for (row = 0; row < rows; row++) {
		for (x = 0; x < width; x++)
			unsafe_put_user(*from++, to + x, efault);
		to += pitch;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The distance is between rows of kernel memory. */
int uw05_step_left_out_of_kernel(u32 __user *to, const u32 *from, u32 width, u32 rows, u32 pitch)
{
	u32 row, x;

	if (!user_write_access_begin(to, (size_t)width * rows * sizeof(*to)))
		return -EFAULT;
	for (row = 0; row < rows; row++) {
		for (x = 0; x < width; x++)
			unsafe_put_user(from[x], to + x, efault);
		to += width;
		from += pitch;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* Each place is compared with the end. */
int uw05_step_left_out_compared(u8 __user *to, u8 value, size_t size, size_t step)
{
	size_t at;

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (at = 0; at < size; at += step)
		unsafe_put_user(value, to + at, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

struct uw05_step_left_out {
	u32 width;
	u32 rows;
	u32 pitch;
};

/* The rows may be further apart than they are wide. */
int uw05_step_left_out_limited(u32 __user *to, const struct uw05_step_left_out *fill, u32 value)
{
	u32 row, x;

	if (fill->width > 4096 || fill->rows > 4096 || fill->pitch < fill->width || fill->pitch > 8192)
		return -EINVAL;
	if (!user_write_access_begin(to, (size_t)fill->width * fill->rows * sizeof(*to)))
		return -EFAULT;
	for (row = 0; row < fill->rows; row++)
		for (x = 0; x < fill->width; x++)
			unsafe_put_user(value, to + (size_t)row * fill->pitch + x, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The rows may not. */
int uw05_step_left_out_excluded(u32 __user *to, const struct uw05_step_left_out *fill, u32 value)
{
	u32 row, x;

	if (fill->width > 4096 || fill->rows > 4096 || fill->pitch > 8192 || fill->pitch > fill->width)
		return -EINVAL;
	if (!user_write_access_begin(to, (size_t)fill->width * fill->rows * sizeof(*to)))
		return -EFAULT;
	for (row = 0; row < fill->rows; row++)
		for (x = 0; x < fill->width; x++)
			unsafe_put_user(value, to + (size_t)row * fill->pitch + x, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_step_left_out_excluded_bytes(char __user *to, const struct uw05_step_left_out *fill, u32 value)
{
	u32 row, x;

	if (fill->pitch > 8192 || fill->pitch > fill->width * 4)
		return -EINVAL;
	if (!user_write_access_begin(to, (size_t)fill->width * fill->rows * 4))
		return -EFAULT;
	for (row = 0; row < fill->rows; row++)
		for (x = 0; x < fill->width; x++)
			unsafe_put_user(value, (u32 __user *)(to + (size_t)row * fill->pitch) + x, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The step is chosen by what is left as well. */
int uw05_step_left_out_chosen_clean(u8 *to, const u8 __user *from, unsigned int count)
{
	unsigned int step;

	if (!user_read_access_begin(from, count))
		return -EFAULT;
	while (count) {
		step = ((unsigned long)from & 3) || count < 4 ? 1 : 4;
		if (step == 4)
			unsafe_get_user(*(u32 *)to, (const u32 __user *)from, efault);
		else
			unsafe_get_user(*to, from, efault);
		to += step;
		from += step;
		count -= step;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
