/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shadow of <linux/uaccess.h>: replaces every accessor by one call that the plugin recognizes.
 * An access then has the same AST on every architecture: each argument appears once, with its
 * own type, and the fault label is the target of an ordinary goto.
 *
 * Comes first in the include path, for analysis only: no code is generated with it.
 */
#ifndef _HOTCOCCI_UACCESS_H
#define _HOTCOCCI_UACCESS_H

#include_next <linux/uaccess.h>
#include <linux/nospec.h>

/* It keeps an index that was compared with the size as it is. */
#undef array_index_nospec
#define array_index_nospec(index, size)		((__typeof__(index))(index))

/*
 * These show whether the tree's accessors jump to their label by asm goto or by an ordinary goto.
 * UW12 reads them; nothing calls them.
 */
static inline void __hotcocci_probe_get(unsigned int __user *at)
{
	unsigned int value;

	unsafe_get_user(value, at, fault);
	(void)value;
fault:
	return;
}

static inline void __hotcocci_probe_put(unsigned int __user *at)
{
	unsafe_put_user(0U, at, fault);
fault:
	return;
}

static inline void __hotcocci_probe_copy_to(void __user *to, const void *from)
{
	unsafe_copy_to_user(to, from, 1, fault);
fault:
	return;
}

#ifdef unsafe_copy_from_user
static inline void __hotcocci_probe_copy_from(void *to, const void __user *from)
{
	unsafe_copy_from_user(to, from, 1, fault);
fault:
	return;
}
#endif

#ifdef unsafe_try_cmpxchg_user
static inline void __hotcocci_probe_cmpxchg(unsigned int __user *at, unsigned int old)
{
	(void)unsafe_try_cmpxchg_user(at, &old, 0U, fault);
fault:
	return;
}
#endif

/* Open: true if the window is open; the masked pointer. */
int __hotcocci_begin(const volatile void __user *at, unsigned long size);
void __user *__hotcocci_masked(const volatile void __user *at);
int __hotcocci_can_mask(void);
/* Close, save and restore. */
void __hotcocci_end(void);
unsigned long __hotcocci_save(void);
void __hotcocci_restore(unsigned long state);
/* Access: true on a fault. After the size comes the value or the kernel address. */
int __hotcocci_get(const volatile void __user *at, unsigned long size);
int __hotcocci_put(volatile void __user *at, unsigned long size, ...);
int __hotcocci_copy_to(volatile void __user *to, unsigned long size, const volatile void *from);
int __hotcocci_copy_from(const volatile void __user *from, unsigned long size, volatile void *to);
int __hotcocci_cmpxchg(volatile void __user *at, unsigned long size, volatile void *old, ...);
int __hotcocci_fetch(const volatile void __user *at, unsigned long size);
/* The value read. */
unsigned long __hotcocci_value(void);

/* What is read is a value of user memory, however this architecture reads it. */
#undef get_user
#undef __get_user
#define get_user(x, at)							\
({									\
	int __failed = __hotcocci_fetch((at), sizeof(*(at)));		\
									\
	(x) = (__typeof__(*(at)))__hotcocci_value();			\
	__failed;							\
})
#define __get_user(x, at)	get_user(x, at)

#undef user_access_begin
#undef user_read_access_begin
#undef user_write_access_begin
#undef user_access_end
#undef user_read_access_end
#undef user_write_access_end
#undef user_access_save
#undef user_access_restore
#undef unsafe_get_user
#undef unsafe_put_user
#undef unsafe_copy_to_user

#define user_access_begin(at, size)		__hotcocci_begin(at, size)
#define user_read_access_begin(at, size)	__hotcocci_begin(at, size)
#define user_write_access_begin(at, size)	__hotcocci_begin(at, size)
#define user_access_end()			__hotcocci_end()
#define user_read_access_end()			__hotcocci_end()
#define user_write_access_end()			__hotcocci_end()
#define user_access_save()			__hotcocci_save()
#define user_access_restore(state)		__hotcocci_restore(state)

#ifdef masked_user_access_begin
#undef masked_user_access_begin
#define masked_user_access_begin(at)		((__typeof__(at))__hotcocci_masked(at))
/* Check both branches, whichever this architecture takes. */
#undef can_do_masked_user_access
#define can_do_masked_user_access()		__hotcocci_can_mask()
#endif

#ifdef masked_user_read_access_begin
#undef masked_user_read_access_begin
#undef masked_user_write_access_begin
#define masked_user_read_access_begin(at)	masked_user_access_begin(at)
#define masked_user_write_access_begin(at)	masked_user_access_begin(at)
#endif

#define unsafe_get_user(x, at, label)					\
do {									\
	if (__hotcocci_get((at), sizeof(*(at))))			\
		goto label;						\
	(x) = (__typeof__(*(at)))__hotcocci_value();			\
} while (0)

#define unsafe_put_user(x, at, label)					\
do {									\
	if (__hotcocci_put((at), sizeof(*(at)), (x)))			\
		goto label;						\
} while (0)

#define unsafe_copy_to_user(to, from, size, label)			\
do {									\
	if (__hotcocci_copy_to((to), (size), (from)))			\
		goto label;						\
} while (0)

#ifdef unsafe_copy_from_user
#undef unsafe_copy_from_user
#define unsafe_copy_from_user(to, from, size, label)			\
do {									\
	if (__hotcocci_copy_from((from), (size), (to)))			\
		goto label;						\
} while (0)
#endif

#ifdef unsafe_try_cmpxchg_user
#undef unsafe_try_cmpxchg_user
#define unsafe_try_cmpxchg_user(at, old, new, label)			\
({									\
	if (__hotcocci_cmpxchg((at), sizeof(*(at)), (old), (new)))	\
		goto label;						\
	(_Bool)__hotcocci_value();					\
})
#endif

#endif /* _HOTCOCCI_UACCESS_H */
