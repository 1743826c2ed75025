/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_STDDEF_H
#define _LINUX_STDDEF_H

#define offsetof(TYPE, MEMBER) __builtin_offsetof(TYPE, MEMBER)

#endif
