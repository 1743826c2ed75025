// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a count and a length in a cold function, and one that another function sets
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

static int measure(struct karg *k, unsigned int *length)
{
	*length = k->count;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int length = 0;

	if (measure(k, &length))
		return -EINVAL;
	if (copy_to_user(u->words, k->words, length))
		return -EFAULT;
	return fetch(k->words, u->words, k->index);
}
