// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two branches: no path makes both loads
 * Row: loads of which one is made
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag) {
		audit(k);
		k->a = current_uid().val;	/* want: LD301 report loads-apart 2 current->cred - */
		audit(k);
		return 0;
	}
	k->a = current_gid().val;

	return put_user(k->a, &u->a);
}
