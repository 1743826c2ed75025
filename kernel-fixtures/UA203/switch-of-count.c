// SPDX-License-Identifier: GPL-2.0
/*
 * Title: as many bytes as user space asks for
 * Row: runtime size of read() and write(): no dispatcher, told where a profile shows it
 * Twin: switch-callers
 */
#include <fixture/arguments.h>
#include <linux/ioctl.h>
#include <linux/uaccess.h>

static int case_write(struct karg *k, const char __user *from, size_t count)
{
	char buffer[16];

	if (count > sizeof(buffer))
		count = sizeof(buffer);
	if (copy_from_user(buffer, from, count))	/* want: UA203 report size-given 1 from read */
		return -EFAULT;
	k->total = count ? buffer[0] : 0;
	return count;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return case_write(k, (const char __user *)u, k->count);
}
