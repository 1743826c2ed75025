// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the namespace and a field, in a condition
 * Row: hoisting the credentials
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 own;

	own = from_kuid(current_user_ns(), (kuid_t){ k->b });	/* want: LD301 rewrite prepared 3 current->cred - */
	if (uid_eq(current_fsuid(), current_uid()))
		own++;
	k->a = own;

	return put_user(k->a, &u->a);
}
