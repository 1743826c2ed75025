// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the copy is in a macro
 * Row: a macro has no place to be rewritten
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define fetch(x, p)	copy_from_user(&(x), p, sizeof(x))

int subject(struct karg *k, struct uarg __user *u)
{
	u32 word;

	if (fetch(word, &u->a))
		return -EFAULT;
	k->a = word;
	return 0;
}
