// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local that holds the namespace serves the other load
 * Row: a load that is kept already
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct user_namespace *user_ns;

	user_ns = current_user_ns();	/* want: LD301 rewrite prepared 2 current->cred - */
	k->a = from_kuid(user_ns, (kuid_t){ k->b });
	k->b = from_kgid(current_user_ns(), (kgid_t){ k->c });

	return put_user(k->a, &u->a);
}
