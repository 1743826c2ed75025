// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the load stays after the early exit
 * Row: the place of the first use
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 serial;

	serial = next_serial(k);
	if (k->flag)
		return serial;

	k->a = from_kuid(current_user_ns(), current_uid());	/* want: LD301 rewrite prepared 3 current->cred - */
	k->b = current_fsgid().val + serial;

	return put_user(k->a, &u->a);
}
