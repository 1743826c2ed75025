// SPDX-License-Identifier: GPL-2.0
/*
 * Title: no command has a small argument
 * Row: sizes that a dispatcher really passes
 * Twin: switch-commands
 */
#include <fixture/arguments.h>
#include <linux/ioctl.h>
#include <linux/uaccess.h>

#define CASE_SET	_IOW('c', 0, u32[32])
#define CASE_SWAP	_IOWR('c', 1, u32[20])

static const unsigned int case_commands[] = {
	CASE_SET,
	CASE_SWAP,
};

static void case_turn(struct karg *k, u8 *bytes, unsigned int size)
{
	audit(k);
	for (unsigned int i = 0; i < size; i++)
		bytes[i] ^= k->b0 + i;
}

static int case_ioctl(struct karg *k, unsigned int cmd, unsigned long arg)
{
	unsigned int size = _IOC_SIZE(cmd);
	char buffer[128] = {};
	int ret = 0;

	if (_IOC_DIR(cmd) & _IOC_WRITE) {
		if (copy_from_user(buffer, (void __user *)arg, size))	/* want: UA203 report sizes-large 1 - read */
			return -EFAULT;
	}
	case_turn(k, (u8 *)buffer, size);
	return ret;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return case_ioctl(k, case_commands[k->count % ARRAY_SIZE(case_commands)], (unsigned long)u);
}
