/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KDEV_T_H
#define _LINUX_KDEV_T_H

#include <linux/types.h>

/* Pure; the bits are others than the kernel's */
static inline u32 new_encode_dev(u32 dev)
{
	return dev * 31;
}

#endif
