/* SPDX-License-Identifier: GPL-2.0 */
/* The numbers of commands: direction, bytes of the argument, type, and number */
#ifndef _LINUX_IOCTL_H
#define _LINUX_IOCTL_H

#define _IOC_NONE	0u
#define _IOC_WRITE	1u
#define _IOC_READ	2u

#define _IOC(dir, type, nr, size) \
	((dir) << 30 | (unsigned int)(size) << 16 | (unsigned int)(type) << 8 | (nr))
#define _IO(type, nr)		_IOC(_IOC_NONE, type, nr, 0)
#define _IOR(type, nr, arg)	_IOC(_IOC_READ, type, nr, sizeof(arg))
#define _IOW(type, nr, arg)	_IOC(_IOC_WRITE, type, nr, sizeof(arg))
#define _IOWR(type, nr, arg)	_IOC(_IOC_READ | _IOC_WRITE, type, nr, sizeof(arg))

#define _IOC_DIR(cmd)		((cmd) >> 30)
#define _IOC_TYPE(cmd)		((cmd) >> 8 & 0xff)
#define _IOC_NR(cmd)		((cmd) & 0xff)
#define _IOC_SIZE(cmd)		((cmd) >> 16 & 0x3fff)
#define IOCSIZE_MASK		(0x3fffu << 16)

#endif
