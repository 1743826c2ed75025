/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The architecture's part of user access: a machine that checks both direction
 * and range of every access in a window, stricter than any real one.
 */
#ifndef _ASM_UACCESS_H
#define _ASM_UACCESS_H

#include <fixture/memory.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#define access_ok(ptr, size)	user_range_ok(ptr, size)

/* A fault leaves 0 in x */
#define __user_get(x, ptr)						\
({									\
	unsigned long __raw = 0;					\
	int __err = 0;							\
									\
	if (!user_load(&__raw, (ptr), sizeof(*(ptr)), USER_WHOLE))	\
		__err = -EFAULT;					\
	(x) = (__force typeof(*(ptr)))__raw;				\
	__err;								\
})

#define __user_put(x, ptr)						\
({									\
	unsigned long __raw = (unsigned long)(__force typeof(*(ptr)))(x); \
	int __err = 0;							\
									\
	if (!user_store((ptr), &__raw, sizeof(*(ptr)), USER_WHOLE))	\
		__err = -EFAULT;					\
	__err;								\
})

#define get_user(x, ptr)	__user_get(x, ptr)
#define put_user(x, ptr)	__user_put(x, ptr)
#define __get_user(x, ptr)	__user_get(x, ptr)
#define __put_user(x, ptr)	__user_put(x, ptr)

/* A fault leaves zeroes in what was not copied */
static inline unsigned long __must_check
copy_from_user(void *to, const void __user *from, unsigned long n)
{
	if (!n || user_load(to, from, n, USER_WHOLE))
		return 0;
	__builtin_memset(to, 0, n);
	return n;
}

static inline unsigned long __must_check
copy_to_user(void __user *to, const void *from, unsigned long n)
{
	return n && !user_store(to, from, n, USER_WHOLE) ? n : 0;
}

static inline unsigned long __must_check clear_user(void __user *to, unsigned long n)
{
	static const char zeroes[256];

	return n > sizeof(zeroes) ? n : copy_to_user(to, zeroes, n);
}

#define __copy_from_user(to, from, n)	copy_from_user(to, from, n)
#define __copy_to_user(to, from, n)	copy_to_user(to, from, n)

/* What HARDENED_USERCOPY looks at: the object must be memory, and not while a window is open */
void check_object_size(const void *object, unsigned long n, bool to_user);

static __always_inline bool __must_check
check_copy_size(const void *object, size_t n, bool to_user)
{
	if (__builtin_object_size(object, 0) < n)
		return false;
	check_object_size(object, n, to_user);
	return true;
}

#define might_fault()	do { } while (0)

#define user_access_begin(ptr, size)	user_window_begin(ptr, size, USER_RW)
#define user_access_end()		user_window_end(USER_RW)
#define user_read_access_begin(ptr, size) user_window_begin(ptr, size, USER_READ)
#define user_read_access_end()		user_window_end(USER_READ)
#define user_write_access_begin(ptr, size) user_window_begin(ptr, size, USER_WRITE)
#define user_write_access_end()		user_window_end(USER_WRITE)
#define user_access_save()		user_window_save()
#define user_access_restore(state)	user_window_restore(state)

/* A fault leaves x alone */
#define unsafe_get_user(x, ptr, label)					\
do {									\
	unsigned long __raw = 0;					\
									\
	if (!user_load(&__raw, (ptr), sizeof(*(ptr)), USER_UNSAFE))	\
		goto label;						\
	(x) = (__force typeof(*(ptr)))__raw;				\
} while (0)

#define unsafe_put_user(x, ptr, label)					\
do {									\
	unsigned long __raw = (unsigned long)(__force typeof(*(ptr)))(x); \
									\
	if (!user_store((ptr), &__raw, sizeof(*(ptr)), USER_UNSAFE))	\
		goto label;						\
} while (0)

/* Not unsafe_copy_from_user(): x86 and arm64 have none */
#define unsafe_copy_to_user(to, from, n, label)				\
do {									\
	if (!user_store(to, from, n, USER_UNSAFE))			\
		goto label;						\
} while (0)

#define can_do_masked_user_access()	user_masking()

#endif
