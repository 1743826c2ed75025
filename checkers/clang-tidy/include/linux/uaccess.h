/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tree's own <linux/uaccess.h>, and then every accessor as one call of a function that the
 * plugin knows. An access is then the same tree of expressions on every architecture: each
 * argument stands in it once, with its own type, and the fault label is an ordinary goto.
 *
 * Put in front of the include path; nothing is ever generated from what is compiled with it.
 */
#ifndef _HOTCOCCI_UACCESS_H
#define _HOTCOCCI_UACCESS_H

#include_next <linux/uaccess.h>

/*
 * How the tree's accessors come to their label: by an asm goto out of the caller's scope, or
 * by an ordinary goto. UW12 looks at these functions; nobody calls them.
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

/* Opening: whether it did; the pointer that is then safe. */
int __hotcocci_begin(const volatile void __user *at, unsigned long size);
void __user *__hotcocci_masked(const volatile void __user *at);
int __hotcocci_can_mask(void);
/* Closing, and what user_access_save() and user_access_restore() do. */
void __hotcocci_end(void);
unsigned long __hotcocci_save(void);
void __hotcocci_restore(unsigned long state);
/* Accessing: whether it faulted. The bytes, then the value or what the kernel's side is. */
int __hotcocci_get(const volatile void __user *at, unsigned long size);
int __hotcocci_put(volatile void __user *at, unsigned long size, ...);
int __hotcocci_copy_to(volatile void __user *to, unsigned long size, const volatile void *from);
int __hotcocci_copy_from(const volatile void __user *from, unsigned long size, volatile void *to);
int __hotcocci_cmpxchg(volatile void __user *at, unsigned long size, volatile void *old, ...);
/* What was read. */
unsigned long __hotcocci_value(void);

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
/* Both ways are looked at, whichever this machine takes. */
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
