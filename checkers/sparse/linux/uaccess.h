/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User access windows in a form that sparse can count. Put this directory first in the include
 * path:
 *
 *	make C=2 CF="-I/path/to/hotcocci/checkers/sparse" file.o
 *
 * Begin and end change sparse's context, whose balance is checked at the end of each function.
 * Accesses jump to their label by an ordinary goto, as sparse does not follow an asm goto. This
 * is never compiled.
 *
 * The hotcocci_*() calls mark the lines of begins, ends and returns in sparse's output
 * (-vv -ventry), which hotcocci/engines/blocks.py parses; the context itself has no lines.
 */
#ifndef HOTCOCCI_SPARSE_UACCESS_H
#define HOTCOCCI_SPARSE_UACCESS_H

#include_next <linux/uaccess.h>

extern int hotcocci_begin(unsigned long range, int line);
extern void hotcocci_opened(int line);
extern void hotcocci_end(int line);
extern void hotcocci_scope(int line);
extern void hotcocci_return(int level, int line);
extern int hotcocci_fault(unsigned long operands);

#undef user_access_begin
#undef user_read_access_begin
#undef user_write_access_begin
#undef user_rw_access_begin
#undef user_access_end
#undef user_read_access_end
#undef user_write_access_end
#undef user_rw_access_end

#define hotcocci_open(ptr, size)					\
	(hotcocci_begin((unsigned long)(ptr) + (size), __LINE__) ?	\
	 ({ hotcocci_opened(__LINE__); __context__(1); 1; }) : 0)
#define hotcocci_close()						\
	({ hotcocci_end(__LINE__); __context__(-1); })

#define user_access_begin(ptr, size)		hotcocci_open(ptr, size)
#define user_read_access_begin(ptr, size)	hotcocci_open(ptr, size)
#define user_write_access_begin(ptr, size)	hotcocci_open(ptr, size)
#define user_rw_access_begin(ptr, size)		hotcocci_open(ptr, size)
#define user_access_end()			hotcocci_close()
#define user_read_access_end()			hotcocci_close()
#define user_write_access_end()			hotcocci_close()
#define user_rw_access_end()			hotcocci_close()

/* Masking cannot fail. */
#undef masked_user_access_begin
#undef masked_user_read_access_begin
#undef masked_user_write_access_begin
#undef masked_user_rw_access_begin

#define hotcocci_mask(ptr)						\
	({ hotcocci_opened(__LINE__); __context__(1); (ptr); })

#define masked_user_access_begin(ptr)		hotcocci_mask(ptr)
#define masked_user_read_access_begin(ptr)	hotcocci_mask(ptr)
#define masked_user_write_access_begin(ptr)	hotcocci_mask(ptr)
#define masked_user_rw_access_begin(ptr)	hotcocci_mask(ptr)

/* Restored later: neither a begin nor an end. */
#undef user_access_save
#undef user_access_restore
#define user_access_save()		((unsigned long)hotcocci_fault(0))
#define user_access_restore(flags)	((void)hotcocci_fault(flags))

/* An access evaluates its operands, and continues or jumps to its label. */
#undef unsafe_get_user
#undef unsafe_put_user
#undef unsafe_copy_to_user
#undef unsafe_copy_from_user
#undef unsafe_atomic_store_release_user
#undef unsafe_try_cmpxchg_user

#define hotcocci_access(operands, label)				\
do {									\
	if (hotcocci_fault((unsigned long)(operands)))			\
		goto label;						\
} while (0)

#define unsafe_get_user(x, ptr, label)					\
do {									\
	hotcocci_access(ptr, label);					\
	(x) = (__force __typeof__(x))hotcocci_fault(0);			\
} while (0)
#define unsafe_put_user(x, ptr, label)					\
do {									\
	__typeof__(*(ptr)) hotcocci_value = (__force __typeof__(*(ptr)))(x); \
									\
	(void)hotcocci_value;						\
	hotcocci_access(ptr, label);					\
} while (0)
#define unsafe_copy_to_user(dst, src, len, label)			\
	hotcocci_access((unsigned long)(dst) + (unsigned long)(src) + (len), label)
#define unsafe_copy_from_user(dst, src, len, label)			\
	hotcocci_access((unsigned long)(dst) + (unsigned long)(src) + (len), label)
#define unsafe_atomic_store_release_user(x, ptr, label)			\
	unsafe_put_user(x, ptr, label)
#define unsafe_try_cmpxchg_user(ptr, old, new, label)			\
({									\
	hotcocci_access((unsigned long)(ptr) + (unsigned long)(old), label); \
	hotcocci_fault((unsigned long)(new));				\
})

/*
 * A scope closes itself on every exit by the cleanup of a variable, which sparse does not know.
 * So it does not change the context, and an explicit end inside it is surplus.
 */
#undef scoped_user_read_access
#undef scoped_user_write_access
#undef scoped_user_rw_access
#undef scoped_user_read_access_size
#undef scoped_user_write_access_size
#undef scoped_user_rw_access_size
#undef get_user_inline
#undef put_user_inline

#define hotcocci_scoped(ptr, size, label)				\
	for (int hotcocci_once = 1; hotcocci_once; hotcocci_once = 0)	\
		if (hotcocci_scope(__LINE__),				\
		    hotcocci_fault((unsigned long)(ptr) + (size)))	\
			goto label;					\
		else

#define scoped_user_read_access(ptr, label)	hotcocci_scoped(ptr, 0, label)
#define scoped_user_write_access(ptr, label)	hotcocci_scoped(ptr, 0, label)
#define scoped_user_rw_access(ptr, label)	hotcocci_scoped(ptr, 0, label)
#define scoped_user_read_access_size(ptr, size, label)	hotcocci_scoped(ptr, size, label)
#define scoped_user_write_access_size(ptr, size, label)	hotcocci_scoped(ptr, size, label)
#define scoped_user_rw_access_size(ptr, size, label)	hotcocci_scoped(ptr, size, label)

#define get_user_inline(x, ptr)						\
	((x) = (__force __typeof__(x))hotcocci_fault((unsigned long)(ptr)), hotcocci_fault(0))
#define put_user_inline(x, ptr)						\
	((void)(x), hotcocci_fault((unsigned long)(ptr)))

/* Do not count locks, which use the same context. */
#undef __acquires
#undef __releases
#undef __must_hold
#undef __acquire
#undef __release
#undef __cond_lock
#define __acquires(x)
#define __releases(x)
#define __must_hold(x)
#define __acquire(x)		(void)0
#define __release(x)		(void)0
#define __cond_lock(x, c)	(c)

/* The include level is 0 in the file being checked. */
#define return for (hotcocci_return(__INCLUDE_LEVEL__, __LINE__);;) return

#endif
