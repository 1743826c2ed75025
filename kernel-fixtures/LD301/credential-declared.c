// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first load initialises a local
 * Row: the place of the declaration
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 serial = next_serial(k);
	kuid_t uid = current_uid();	/* want: LD301 rewrite prepared 2 current->cred - */

	audit(k);
	k->a = uid.val + serial;
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
