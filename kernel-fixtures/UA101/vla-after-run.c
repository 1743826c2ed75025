// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array of variable size is declared after the run: no goto may enter its scope
 * Row: jump to the label
 * Shape: A
 * Build: never, sparse warns of each array of variable size
 * Twin: declaration-accesses
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	if (get_user(a, &u->a) || get_user(b, &u->b))	/* want: UA101 report no-place-for-label 2 u read */
		return -EFAULT;

	u32 copies[k->count + 1];

	copies[0] = a;
	k->a = copies[0];
	k->b = b;
	return 0;
}
