// SPDX-License-Identifier: GPL-2.0
/*
 * Title: all commands of a dispatcher have one small size
 * Row: runtime size, sizes known from commands
 * Twin: switch-commands
 */
#include <fixture/arguments.h>
#include <linux/ioctl.h>
#include <linux/uaccess.h>

struct case_pair {
	u32 first;
	u32 second;
};

#define CASE_RESET	_IO('c', 0)
#define CASE_SET	_IOW('c', 2, struct case_pair)
#define CASE_ADD	_IOW('c', 3, struct case_pair)

static const unsigned int case_commands[] = {
	CASE_RESET,
	CASE_SET,
	CASE_ADD,
};

static int case_ioctl(struct karg *k, unsigned int cmd, unsigned long arg)
{
	unsigned int size = _IOC_SIZE(cmd);
	char buffer[32] = {};

	if (copy_from_user(buffer, (void __user *)arg, size))	/* want: UA203 report one-size 1 - read */
		return -EFAULT;
	audit(k);
	k->b0 = buffer[0];
	k->count = size;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return case_ioctl(k, case_commands[k->index % ARRAY_SIZE(case_commands)], (unsigned long)u);
}
