// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a dispatcher copies what its table of commands says
 * Row: runtime size, sizes known from commands
 */
#include <fixture/arguments.h>
#include <linux/ioctl.h>
#include <linux/uaccess.h>

struct case_pair {
	u32 first;
	u32 second;
};

#define CASE_RESET	_IO('c', 0)
#define CASE_GET	_IOR('c', 1, u32)
#define CASE_SET	_IOW('c', 2, struct case_pair)
#define CASE_SWAP	_IOWR('c', 3, u32[4])

static const unsigned int case_commands[] = {
	CASE_RESET,
	CASE_GET,
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
	char buffer[32] = {};
	int ret = 0;

	if (_IOC_DIR(cmd) & _IOC_WRITE) {
		if (copy_from_user(buffer, (void __user *)arg, size)) {	/* want: UA203 rewrite prepared 1 - read */
			ret = -EFAULT;
			goto out;
		}
	}
	case_turn(k, (u8 *)buffer, size);
	if (_IOC_DIR(cmd) & _IOC_READ) {
		if (copy_to_user((void __user *)arg, buffer, size))	/* want: UA203 rewrite prepared 1 - write */
			ret = -EFAULT;
	}
out:
	return ret;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return case_ioctl(k, case_commands[k->count % ARRAY_SIZE(case_commands)], (unsigned long)u);
}
