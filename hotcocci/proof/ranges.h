/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directions: 1 read, 2 write; 0 is a closed window. Values come from and go to nowhere, as the
 * object is discarded. The asm has no "memory" clobber, so the variables survive it.
 */
#include_next <linux/uaccess.h>

#ifndef HOTCOCCI_RANGES
#define HOTCOCCI_RANGES

static const char *hotcocci_base __maybe_unused;
static unsigned long hotcocci_length __maybe_unused;
static int hotcocci_directions __maybe_unused;
static const char *hotcocci_name __maybe_unused;

/* const: or a call that turns out dead only later would clobber the variables. */
extern int hotcocci_outside(int n) __attribute__((const, warning("outside")));
extern int hotcocci_unproved(int n) __attribute__((const, warning("unproved")));
extern int hotcocci_unknown(int n) __attribute__((const, warning("unknown")));

/* Each place has its own number: calls of a const function are merged otherwise. */
#define hotcocci_say(what)	asm volatile("" : : "r" (what(__COUNTER__)))

static __always_inline unsigned long hotcocci_any(void)
{
	unsigned long value;

	asm volatile("" : "=r" (value));
	return value;
}

/*
 * One more on both sides of a subtraction, because of which gcc takes &p->field for
 * p + offset and not for an address that it knows nothing about.
 */
#define hotcocci_address(pointer)	((__force const char *)(pointer) + 1)

/*
 * Where the base was computed from another pointer, gcc may compute a place from that
 * one too, and the difference is no constant any more: let it forget where the base
 * came from. Only a variable can be forgotten.
 */
#ifdef HOTCOCCI_FORGET
#define hotcocci_forget(pointer)	asm volatile("" : "+r" (pointer))
#else
#define hotcocci_forget(pointer)	do { } while (0)
#endif

#define hotcocci_begin(directions, pointer, length)				\
({										\
	hotcocci_forget(pointer);						\
	hotcocci_base = hotcocci_address(pointer);				\
	hotcocci_length = (length);						\
	hotcocci_name = #pointer;						\
	hotcocci_directions = (directions);					\
	hotcocci_any() != 0;							\
})

/* Whether a place is written as one of the base: "&p->array[i]" of "p", not of "pp". */
#define hotcocci_part(c)							\
	(((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z') ||		\
	 ((c) >= '0' && (c) <= '9') || (c) == '_')
#define hotcocci_of_base(text)							\
	(!__builtin_strncmp(&(text)[(text)[0] == '&'], hotcocci_name,		\
			    __builtin_strlen(hotcocci_name)) &&			\
	 !hotcocci_part((text)[((text)[0] == '&') +				\
			       __builtin_strlen(hotcocci_name)]))

#define hotcocci_end()	do { hotcocci_directions = 0; } while (0)

#define hotcocci_access(direction, pointer, size, label)			\
do {										\
	unsigned long __hc_offset = hotcocci_address(pointer) - hotcocci_base;	\
	unsigned long __hc_size = (size);					\
	int __hc_open = (hotcocci_directions & (direction)) != 0;		\
	int __hc_inside = (__hc_offset <= hotcocci_length) &			\
			  (__hc_size <= hotcocci_length - __hc_offset);		\
										\
	if (__builtin_constant_p(__hc_open) && !__hc_open)			\
		hotcocci_say(hotcocci_outside);						\
	else if (__builtin_constant_p(__hc_inside) && !__hc_inside)		\
		hotcocci_say(hotcocci_outside);						\
	else if (!__builtin_constant_p(__hc_open) ||				\
		 !__builtin_constant_p(hotcocci_length))			\
		hotcocci_say(hotcocci_unknown);					\
	else if (!__builtin_constant_p(__hc_inside) &&				\
		 __builtin_constant_p(hotcocci_of_base(#pointer)) &&		\
		 hotcocci_of_base(#pointer))					\
		hotcocci_say(hotcocci_unknown);					\
	else if (!__builtin_constant_p(__hc_inside))				\
		hotcocci_say(hotcocci_unproved);				\
	if (hotcocci_any())							\
		goto label;							\
} while (0)

#undef can_do_masked_user_access
#define can_do_masked_user_access()	0

#undef user_access_begin
#define user_access_begin(p, n)		hotcocci_begin(3, p, n)
#undef user_read_access_begin
#define user_read_access_begin(p, n)	hotcocci_begin(1, p, n)
#undef user_write_access_begin
#define user_write_access_begin(p, n)	hotcocci_begin(2, p, n)
#undef user_access_end
#define user_access_end()		hotcocci_end()
#undef user_read_access_end
#define user_read_access_end()		hotcocci_end()
#undef user_write_access_end
#define user_write_access_end()		hotcocci_end()

static __always_inline void hotcocci_scope_end(const void *pointer)
{
	hotcocci_end();
}
#define __scoped_user_read_access_end	hotcocci_scope_end
#define __scoped_user_write_access_end	hotcocci_scope_end
#define __scoped_user_rw_access_end	hotcocci_scope_end

#undef unsafe_get_user
#define unsafe_get_user(x, p, label)						\
do {										\
	hotcocci_access(1, p, sizeof(*(p)), label);				\
	(x) = (__force __typeof__(*(p)))hotcocci_any();				\
} while (0)

#undef unsafe_put_user
#define unsafe_put_user(x, p, label)						\
do {										\
	__typeof__(*(p)) __hc_value = (__force __typeof__(*(p)))(x);		\
										\
	asm volatile("" : : "m" (__hc_value));					\
	hotcocci_access(2, p, sizeof(*(p)), label);				\
} while (0)

#undef unsafe_copy_to_user
#define unsafe_copy_to_user(to, from, n, label)					\
do {										\
	(void)(from);								\
	hotcocci_access(2, to, n, label);					\
} while (0)

#undef unsafe_copy_from_user
#define unsafe_copy_from_user(to, from, n, label)				\
do {										\
	(void)(to);								\
	hotcocci_access(1, from, n, label);					\
} while (0)

#endif /* HOTCOCCI_RANGES */
