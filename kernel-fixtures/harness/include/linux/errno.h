/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_ERRNO_H
#define _LINUX_ERRNO_H

#define EIO	5
#define ENOMEM	12
#define EFAULT	14
#define EBUSY	16
#define EACCES		13
#define EINVAL	22

#endif
