/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_UACCESS_H
#define _LINUX_UACCESS_H

#include <asm/uaccess.h>

/* One flavour of masking, whatever the direction */
#define masked_user_access_begin(ptr)	\
	((typeof(ptr))user_window_begin_masked(ptr, USER_RW, true))

void pagefault_disable(void);
void pagefault_enable(void);

#endif
