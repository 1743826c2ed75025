// SPDX-License-Identifier: GPL-2.0
/*
 * Title: other credentials are taken on after the loads
 * Row: commit_creds()
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report credentials-change-elsewhere 2 current->cred - */
	audit(k);
	k->b = current_gid().val;
	commit_creds(prepare_creds());

	return put_user(k->a, &u->a);
}
