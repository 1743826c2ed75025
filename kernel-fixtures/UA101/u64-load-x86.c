// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same load in a file no 32-bit Arm ever compiles
 * Row: 64-bit member
 * Shape: A
 * Path: arch/x86/kernel
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 q;
	u32 a, b;

	if (get_user(a, &u->a) || get_user(b, &u->b) || get_user(q, &u->q0))	/* want: UA101 rewrite safe 3 u read */
		return -EFAULT;

	k->total = a ^ b ^ (u32)q;
	return 0;
}
