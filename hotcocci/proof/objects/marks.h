/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The nop keeps a jump to the code after user_access_begin() apart from the mark. The registers are
 * call-clobbered.
 */
#include_next <linux/uaccess.h>

#ifndef HOTCOCCI_MARKS
#define HOTCOCCI_MARKS

#if defined(__x86_64__)
#define HOTCOCCI_BASE	"rdi"
#define HOTCOCCI_LENGTH	"rsi"
#elif defined(__powerpc__)
#define HOTCOCCI_BASE	"r9"
#define HOTCOCCI_LENGTH	"r10"
#elif defined(__aarch64__)
#define HOTCOCCI_BASE	"x9"
#define HOTCOCCI_LENGTH	"x10"
#endif

#define hotcocci_mark(directions, pointer, length)				\
do {										\
	register const volatile void *__hc_base asm(HOTCOCCI_BASE) =		\
		(__force const volatile void *)(pointer);			\
	register unsigned long __hc_length asm(HOTCOCCI_LENGTH) = (length);	\
										\
	asm volatile("771:	nop\n"						\
		     "	.pushsection .hotcocci.marks, \"a\"\n"			\
		     "	.long 771b - .\n"					\
		     "	.long %c0\n"						\
		     "	.popsection\n"						\
		     : : "i" (directions), "r" (__hc_base), "r" (__hc_length));	\
} while (0)

#define hotcocci_window(mode, directions, begin, end)				\
static __always_inline __must_check bool					\
hotcocci_##mode##_begin(const void __user *pointer, size_t length)		\
{										\
	hotcocci_mark(directions | 4, pointer, length);				\
	if (!begin((pointer), length))						\
		return false;							\
	hotcocci_mark(directions, pointer, length);				\
	return true;								\
}										\
static __always_inline void hotcocci_##mode##_end(void)				\
{										\
	hotcocci_mark(0, NULL, 0);						\
	end();									\
}										\
static __always_inline void hotcocci_##mode##_scope_end(const void *pointer)	\
{										\
	hotcocci_##mode##_end();						\
}

static __always_inline __must_check bool
hotcocci_access_ok(const void __user *pointer, unsigned long length)
{
	hotcocci_mark(8, pointer, length);
	return access_ok(pointer, length);
}

#ifdef HOTCOCCI_CLASSIC
#undef can_do_masked_user_access
#define can_do_masked_user_access()	0
#endif

#ifdef HOTCOCCI_SHIFTED
#define mask_user_address(p)	((__typeof__(p))(mask_user_address(p) - 0x10000))
#endif

#undef access_ok
#define access_ok(p, n)			hotcocci_access_ok((const void __user *)(p), n)

hotcocci_window(rw, 3, user_access_begin, user_access_end)
hotcocci_window(read, 1, user_read_access_begin, user_read_access_end)
hotcocci_window(write, 2, user_write_access_begin, user_write_access_end)

#undef user_access_begin
#define user_access_begin(p, n)		hotcocci_rw_begin(p, n)
#undef user_read_access_begin
#define user_read_access_begin(p, n)	hotcocci_read_begin(p, n)
#undef user_write_access_begin
#define user_write_access_begin(p, n)	hotcocci_write_begin(p, n)
#undef user_access_end
#define user_access_end()		hotcocci_rw_end()
#undef user_read_access_end
#define user_read_access_end()		hotcocci_read_end()
#undef user_write_access_end
#define user_write_access_end()		hotcocci_write_end()

#ifdef __scoped_user_access_begin
#define hotcocci_directions_read	1
#define hotcocci_directions_write	2
#define hotcocci_directions_rw		3

#undef __scoped_user_access_begin
#define __scoped_user_access_begin(mode, uptr, size, elbl)			\
({										\
	__typeof__(uptr) __hc_begun = (uptr);					\
										\
	if (can_do_masked_user_access())					\
		__hc_begun = masked_user_##mode##_access_begin(__hc_begun);	\
	else if (!user_##mode##_access_begin(__hc_begun, size))			\
		goto elbl;							\
	hotcocci_mark(hotcocci_directions_##mode, __hc_begun, size);		\
	__hc_begun;								\
})
#define __scoped_user_read_access_end	hotcocci_read_scope_end
#define __scoped_user_write_access_end	hotcocci_write_scope_end
#define __scoped_user_rw_access_end	hotcocci_rw_scope_end
#endif

#endif /* HOTCOCCI_MARKS */
