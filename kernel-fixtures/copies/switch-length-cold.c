// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a count and a length where it does not run often
 * Row: hot functions alone
 * Twin: switch-length
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int fetch(void *to, void __user *from, unsigned int length);

int fetch(void *to, void __user *from, unsigned int length)
{
	if (copy_from_user(to, from, length))
		return -EFAULT;
	if (copy_from_user(to, from, length * sizeof(u32)))
		return -EFAULT;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return fetch(k->words, u->words, k->index);
}
