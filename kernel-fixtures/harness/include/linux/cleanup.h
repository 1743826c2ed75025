/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_CLEANUP_H
#define _LINUX_CLEANUP_H

#include <linux/types.h>

/* One kind of guard is enough here: a class is its lock's type and two functions */
#define DEFINE_GUARD(name, type, lock, unlock)				\
	static inline void guard_##name##_exit(type *p) { if (*p) unlock(*p); } \
	static inline type guard_##name##_init(type p) { lock(p); return p; }

#define __guard_join2(a, b)	a##b
#define __guard_join(a, b)	__guard_join2(a, b)

#define guard(name)							\
	__cleanup(guard_##name##_exit) __attribute__((__unused__))	\
	auto __guard_join(__guard_, __LINE__) = guard_##name##_init

#define scoped_guard(name, lock)					\
	for (bool __once = true; __once; __once = false)		\
		for (auto __scope __cleanup(guard_##name##_exit) =	\
			guard_##name##_init(lock); __once; __once = false)

#define DEFINE_FREE(name, type, free)					\
	static inline void __free_##name(void *p)			\
	{								\
		type _T = *(type *)p;					\
		free;							\
	}

#define __free(name)		__cleanup(__free_##name)

#endif
