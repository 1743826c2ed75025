/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_UACCESS_H
#define _LINUX_UACCESS_H

#include <asm/uaccess.h>

/* As in the kernel: for architectures without windows of their own */
#ifndef user_access_begin
#define user_access_begin(ptr, size)	access_ok(ptr, size)
#define user_access_end()		do { } while (0)
#define unsafe_get_user(x, ptr, label)	\
	do { if (__get_user(x, ptr)) goto label; } while (0)
#define unsafe_put_user(x, ptr, label)	\
	do { if (__put_user(x, ptr)) goto label; } while (0)
#define unsafe_copy_to_user(to, from, n, label)	\
	do { if (__copy_to_user(to, from, n)) goto label; } while (0)
#endif
#ifndef user_read_access_begin
#define user_read_access_begin		user_access_begin
#define user_read_access_end		user_access_end
#endif
#ifndef user_write_access_begin
#define user_write_access_begin		user_access_begin
#define user_write_access_end		user_access_end
#endif
#include <linux/cleanup.h>

#define masked_user_access_begin(ptr)	\
	((typeof(ptr))user_window_begin_masked(ptr, USER_RW, false))
#define masked_user_read_access_begin(ptr)	\
	((typeof(ptr))user_window_begin_masked(ptr, USER_READ, false))
#define masked_user_write_access_begin(ptr)	\
	((typeof(ptr))user_window_begin_masked(ptr, USER_WRITE, false))

/* So that the three modes can be spelled alike below */
#define masked_user_rw_access_begin(ptr)	masked_user_access_begin(ptr)
#define user_rw_access_begin(ptr, size)		user_access_begin(ptr, size)
#define user_rw_access_end()			user_access_end()

static __always_inline void __scoped_user_read_close(const void *unused)
{
	user_read_access_end();
}

static __always_inline void __scoped_user_write_close(const void *unused)
{
	user_write_access_end();
}

static __always_inline void __scoped_user_rw_close(const void *unused)
{
	user_rw_access_end();
}

#define __scoped_user_open(mode, uptr, size, label)			\
({									\
	typeof(uptr) __opened = uptr;					\
									\
	if (can_do_masked_user_access())				\
		__opened = masked_user_##mode##_access_begin(uptr);	\
	else if (!user_##mode##_access_begin(uptr, size))		\
		goto label;						\
	__opened;							\
})

/*
 * Three loops that run once: the outer two have nothing to clean up when the
 * opening fails; the inner one declares a constant pointer that hides the
 * caller's, which is why it has to be named by a plain identifier, and closes
 * the window however its body is left. A break in the body leaves this loop.
 */
#define __scoped_user_access(mode, uptr, size, label)			\
for (bool __once = true; __once; __once = false)			\
	for (auto __at = __scoped_user_open(mode, uptr, size, label);	\
	     __once; __once = false)					\
		for (const auto uptr __cleanup(__scoped_user_##mode##_close) = __at; \
		     __once; __once = false)

#define scoped_user_read_access_size(uptr, size, label)			\
	__scoped_user_access(read, uptr, size, label)
#define scoped_user_write_access_size(uptr, size, label)		\
	__scoped_user_access(write, uptr, size, label)
#define scoped_user_rw_access_size(uptr, size, label)			\
	__scoped_user_access(rw, uptr, size, label)

#define scoped_user_read_access(uptr, label)				\
	scoped_user_read_access_size(uptr, sizeof(*(uptr)), label)
#define scoped_user_write_access(uptr, label)				\
	scoped_user_write_access_size(uptr, sizeof(*(uptr)), label)
#define scoped_user_rw_access(uptr, label)				\
	scoped_user_rw_access_size(uptr, sizeof(*(uptr)), label)

#define get_user_inline(x, ptr)						\
({									\
	__label__ fault;						\
	typeof(ptr) __inline_ptr = (ptr);				\
	int __inline_err = -EFAULT;					\
									\
	scoped_user_read_access(__inline_ptr, fault) {			\
		unsafe_get_user(x, __inline_ptr, fault);		\
		__inline_err = 0;					\
	}								\
fault:									\
	__inline_err;							\
})

#define put_user_inline(x, ptr)						\
({									\
	__label__ fault;						\
	typeof(ptr) __inline_ptr = (ptr);				\
	int __inline_err = -EFAULT;					\
									\
	scoped_user_write_access(__inline_ptr, fault) {			\
		unsafe_put_user(x, __inline_ptr, fault);		\
		__inline_err = 0;					\
	}								\
fault:									\
	__inline_err;							\
})

void pagefault_disable(void);
void pagefault_enable(void);

#endif
