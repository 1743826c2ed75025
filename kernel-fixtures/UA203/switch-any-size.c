// SPDX-License-Identifier: GPL-2.0
/*
 * Title: commands that come in any size
 * Row: sizes that a dispatcher really passes
 * Twin: switch-commands
 */
#include <fixture/arguments.h>
#include <linux/ioctl.h>
#include <linux/uaccess.h>

#define CASE_NAME(n)	_IOC(_IOC_READ, 'c', 4, n)

static int case_ioctl(struct karg *k, unsigned int cmd, unsigned long arg)
{
	unsigned int size = _IOC_SIZE(cmd);
	char name[16] = "case";

	if ((cmd & ~IOCSIZE_MASK) != CASE_NAME(0) || size > sizeof(name))
		return -EINVAL;
	audit(k);
	if (copy_to_user((void __user *)arg, name, size))
		return -EFAULT;
	return size;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return case_ioctl(k, CASE_NAME(k->count), (unsigned long)u);
}
