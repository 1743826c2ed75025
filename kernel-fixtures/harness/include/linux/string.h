/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_STRING_H
#define _LINUX_STRING_H

#include <linux/types.h>

void *memset(void *to, int byte, size_t n);
void *memcpy(void *to, const void *from, size_t n);
size_t strlen(const char *text);

#endif
