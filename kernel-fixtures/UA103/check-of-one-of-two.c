// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one of two accesses that leave in the same way is of something else
 * Row: range-differs
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

#define FIRST(p)	(((u32 __user *)(p))[0])
#define SECOND(p)	(((u32 __user *)(p))[1])

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	if (!access_ok(&FIRST(u), 8))	/* want: UA103 report range-differs 1 &FIRST(u) read */
		return -EINVAL;
	if (__get_user(a, &FIRST(u)) || __get_user(b, &SECOND(u)))
		return -EINVAL;
	k->a = a;
	k->b = b;
	return 0;
}
