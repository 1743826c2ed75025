/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_TYPES_H
#define _LINUX_TYPES_H

#include <linux/compiler.h>

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;
typedef _Bool bool;
typedef __SIZE_TYPE__ size_t;
typedef unsigned long uintptr_t;

#define true	1
#define false	0
#define NULL	((void *)0)

#endif
