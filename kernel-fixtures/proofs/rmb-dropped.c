// SPDX-License-Identifier: GPL-2.0
/*
 * Title: rmb() between two loads is dropped
 * Verdict: not proven
 * Unproven: wrong, but only a device can observe it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>
#include <asm/barrier.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 ready = k->a;

	rmb();
	k->total = ready + k->d;
	return get_user(k->b, &u->b);
}
