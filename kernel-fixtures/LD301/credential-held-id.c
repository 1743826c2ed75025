// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local that holds the ID already takes the place of the other load
 * Row: hoisting one ID
 * Twin: credential-changed-id
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	kuid_t owner = current_fsuid();	/* want: LD301 rewrite prepared 2 current->cred - */

	audit(k);
	if (uid_eq(owner, current_fsuid()))
		k->b = 1;

	return put_user(k->a, &u->a);
}
