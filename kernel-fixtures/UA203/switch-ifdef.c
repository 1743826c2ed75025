// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a preprocessor line is in the call
 * Row: ifdef inside
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
#define CASE_GET	_IOR('c', 1, u32)
#define CASE_SET	_IOW('c', 2, struct case_pair)
#define CASE_SWAP	_IOWR('c', 3, u32[4])

static const unsigned int case_commands[] = {
	CASE_RESET,
	CASE_GET,
	CASE_SET,
	CASE_SWAP,
};

static int case_ioctl(struct karg *k, unsigned int cmd, unsigned long arg)
{
	char buffer[32] = {};

	if (copy_from_user(buffer, (void __user *)arg,	/* want: UA203 report ifdef 1 - read */
#ifdef CASE_WHOLE
			   sizeof(buffer) +
#endif
			   _IOC_SIZE(cmd)))
		return -EFAULT;
	k->total = buffer[0];
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return case_ioctl(k, case_commands[k->count % ARRAY_SIZE(case_commands)], (unsigned long)u);
}
