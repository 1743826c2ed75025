/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_OVERFLOW_H
#define _LINUX_OVERFLOW_H

#include <linux/types.h>

static inline size_t size_mul(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		return ~(size_t)0;
	return bytes;
}

#define array_size(count, size)	size_mul(count, size)

#endif
