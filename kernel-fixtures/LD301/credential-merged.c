// SPDX-License-Identifier: GPL-2.0
/*
 * Title: no call between the loads: compilers merge them
 * Row: loads that are made once already
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val + current_gid().val;	/* want: LD301 report no-call-between 2 current->cred - */
	return put_user(k->a, &u->a);
}
