// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the objective credentials are a base of their own
 * Row: subjective and objective credentials
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_real_cred()->uid.val + current_uid().val;	/* want: LD301 rewrite prepared 2 current->real_cred - */
	audit(k);
	k->b = current_real_cred()->gid.val;

	return put_user(k->a, &u->a);
}
