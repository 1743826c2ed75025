// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the commands are defined nowhere that can be seen
 * Row: no sizes known: report
 * Twin: switch-commands
 */
#include <fixture/arguments.h>
#include <linux/ioctl.h>
#include <linux/uaccess.h>

static void case_turn(struct karg *k, u8 *bytes, unsigned int size)
{
	audit(k);
	for (unsigned int i = 0; i < size; i++)
		bytes[i] ^= k->b0 + i;
}

static int case_ioctl(struct karg *k, unsigned int cmd, unsigned long arg)
{
	unsigned int size = _IOC_SIZE(cmd);
	char buffer[32] = {};
	int ret = 0;

	if (size > sizeof(buffer))
		return -EINVAL;
	if (_IOC_DIR(cmd) & _IOC_WRITE) {
		if (copy_from_user(buffer, (void __user *)arg, size))	/* want: UA203 report sizes-unknown 1 - read */
			return -EFAULT;
	}
	case_turn(k, (u8 *)buffer, size);
	return ret;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return case_ioctl(k, k->a, (unsigned long)u);
}
