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

/* One flavour of masking, whatever the direction */
#define masked_user_access_begin(ptr)	\
	((typeof(ptr))user_window_begin_masked(ptr, USER_RW, true))

void pagefault_disable(void);
void pagefault_enable(void);

#endif
