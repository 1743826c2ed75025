// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call whose name says it frees moves up although its result is stored
 * Verdict: not proven
 * Says: free_slots
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

extern u32 free_slots(u32 number);

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) ||
	    put_user(free_slots(k->b), &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
