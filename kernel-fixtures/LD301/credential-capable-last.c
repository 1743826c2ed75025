// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a capability is asked for with the last load
 * Row: capable()
 */
#include <fixture/arguments.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->b = current_gid().val;	/* want: LD301 rewrite prepared 2 current->cred - */
	audit(k);
	if (!ns_capable(current_user_ns(), CAP_SYS_ADMIN))
		k->c = 0;

	return put_user(k->a, &u->a);
}
