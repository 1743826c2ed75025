// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop in a window that stops after 1000 bytes
 * Verdict: refused
 */
#include <fixture/arguments.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

extern int wait(struct karg *k);
extern u32 draw(u32 *number, u32 count);

int subject(struct karg *k, struct uarg __user *u)
{
	u8 __user *p = (u8 __user *)u;
	u32 n = k->a;
	u8 c;

	if (!n)
		return 0;
	for (u32 i = 0; i != n; i++) {
		if (get_user(c, p + i))
			return -EFAULT;
		if (c == 'V')
			k->total = 42;
	}
	return 0;
}
