// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local that held the ID is set to another one
 * Row: hoisting one ID
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	kuid_t owner = current_fsuid();	/* want: LD301 report unusual-form 2 current->cred - */

	k->a = owner.val;
	owner.val = 0;
	audit(k);
	k->b = current_fsuid().val;

	return put_user(k->a + owner.val, &u->a);
}
