// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a capability is asked for with the first load
 * Row: capable()
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!ns_capable(current_user_ns(), CAP_SYS_ADMIN))	/* want: LD301 report capability-between 2 current->cred - */
		k->c = 0;
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
