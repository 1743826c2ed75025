/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_H
#define _LINUX_KERNEL_H

#include <linux/errno.h>
#include <linux/types.h>

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define IS_ALIGNED(n, a)	(((n) & ((typeof(n))(a) - 1)) == 0)
/* An option that is set is 1, any other that is asked for here is 0 */
#define IS_ENABLED(option)	(option)
#define CONFIG_64BIT		1
#define CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS 1
#define CONFIG_FAULT_INJECTION_USERCOPY 0
#define lower_32_bits(n)	((u32)((n) & 0xffffffff))
#define upper_32_bits(n)	((u32)(((n) >> 16) >> 16))
#define u64_to_user_ptr(x)	((void __user *)(uintptr_t)(x))

#endif
