// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is called between is inline and only computes
 * Row: loads that are made once already
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = uid_eq(current_uid(), current_fsuid());	/* want: LD301 report no-call-between 2 current->cred - */
	return put_user(k->a, &u->a);
}
