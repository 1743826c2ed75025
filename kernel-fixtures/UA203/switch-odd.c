// SPDX-License-Identifier: GPL-2.0
/*
 * Title: arguments of one, two and six bytes
 * Row: sizes that fit no word
 * Twin: switch-commands
 */
#include <fixture/arguments.h>
#include <linux/ioctl.h>
#include <linux/uaccess.h>

#define CASE_BYTE	_IOW('c', 0, u8)
#define CASE_HALF	_IOWR('c', 1, u16)
#define CASE_SIX	_IOWR('c', 2, u16[3])

static const unsigned int case_commands[] = {
	CASE_BYTE,
	CASE_HALF,
	CASE_SIX,
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
	char buffer[32] = {};
	int ret = 0;

	if (_IOC_DIR(cmd) & _IOC_WRITE) {
		if (copy_from_user(buffer, (void __user *)arg, size)) {	/* want: UA203 report sizes-large 1 - read */
			ret = -EFAULT;
			goto out;
		}
	}
	case_turn(k, (u8 *)buffer, size);
	if (_IOC_DIR(cmd) & _IOC_READ) {
		if (copy_to_user((void __user *)arg, buffer, size))	/* want: UA203 report sizes-large 1 - write */
			ret = -EFAULT;
	}
out:
	return ret;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return case_ioctl(k, case_commands[k->count % ARRAY_SIZE(case_commands)], (unsigned long)u);
}
