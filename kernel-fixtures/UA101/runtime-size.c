// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy whose length is known only at run time
 * Row: runtime size
 * Twin: chain-put-three
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_to_user(u->words, k->words, k->count * sizeof(*k->words)))
		return -EFAULT;

	return 0;
}
