// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two namespaces around a call become one local
 * Row: hoisting the user namespace
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = from_kuid(current_user_ns(), (kuid_t){ k->b });	/* want: LD301 rewrite prepared 2 current->cred - */
	k->b = from_kgid(current_user_ns(), (kgid_t){ k->c });

	return put_user(k->a, &u->a);
}
