/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_COMPILER_H
#define _LINUX_COMPILER_H

#ifdef __CHECKER__
#define __user			__attribute__((noderef, address_space(__user)))
#define __force			__attribute__((force))
#else
#define __user
#define __force
#endif
#define __counted_by(member)

#ifndef __always_inline
#define __always_inline		inline __attribute__((__always_inline__))
#endif
#define __maybe_unused		__attribute__((__unused__))
#define __aligned(n)		__attribute__((__aligned__(n)))
#define __must_check		__attribute__((__warn_unused_result__))
#define __cleanup(f)		__attribute__((__cleanup__(f)))

#define fallthrough		__attribute__((__fallthrough__))

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile typeof(x) *)&(x) = (v))

/* The kernel's spelling of the deduced type before C23 */
#define auto			__auto_type

#endif
