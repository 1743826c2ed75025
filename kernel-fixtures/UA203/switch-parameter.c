// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the buffer is the caller's
 * Row: kernel buffer aligned to the access
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

static int case_fetch(void *to, void __user *from, unsigned int cmd)
{
	if ((_IOC_DIR(cmd) & _IOC_WRITE) &&
	    copy_from_user(to, from, _IOC_SIZE(cmd)))	/* want: UA203 rewrite prepared 1 from read */
		return -EFAULT;

	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return case_fetch(k->words, u, case_commands[k->count % ARRAY_SIZE(case_commands)]);
}
