// SPDX-License-Identifier: GPL-2.0
/*
 * Title: references to the credentials and to their user
 * Row: accessors that take a reference
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	const struct cred *held = get_current_cred();	/* want: LD301 rewrite prepared 2 current->cred - */
	struct user_struct *user = get_current_user();

	k->a = held->uid.val;
	k->b = user->count;
	put_cred(held);

	return put_user(k->a, &u->a);
}
