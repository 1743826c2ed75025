// SPDX-License-Identifier: GPL-2.0
/*
 * Title: both ends of a copy are in user memory, and one of them changes
 * Verdict: not proven
 * Says: a copy within user memory
 * Unproven: each copy is taken for one from or to kernel memory
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *to = &u->b;
	unsigned long left;

	if (!k->a)
		return 0;
	if (!access_ok(u, sizeof(*u)))
		return -EFAULT;
	left = __copy_to_user(to, (__force void *)&u->a, sizeof(u32));
	return left ? -EFAULT : 0;
}
