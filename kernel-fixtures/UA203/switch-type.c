// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the dispatcher names no command but tests their type
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


static int case_ioctl(struct karg *k, unsigned int cmd, unsigned long arg)
{
	union {
		u32 word;
		struct case_pair pair;
		u32 four[4];
	} buffer = {};

	if (_IOC_TYPE(cmd) != 'c' || _IOC_SIZE(cmd) > sizeof(buffer))
		return -EINVAL;
	if ((_IOC_DIR(cmd) & _IOC_WRITE) &&
	    copy_from_user(&buffer, (void __user *)arg, _IOC_SIZE(cmd)) != 0)	/* want: UA203 rewrite prepared 1 - read */
		return -EFAULT;
	k->total = buffer.pair.first + buffer.pair.second;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return case_ioctl(k, k->flag ? CASE_SET : CASE_SWAP, (unsigned long)u);
}
