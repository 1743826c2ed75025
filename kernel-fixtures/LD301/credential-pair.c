// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro that takes two fields at once
 * Row: unusual-form
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	kuid_t uid;
	kgid_t gid;

	current_uid_gid(&uid, &gid);	/* want: LD301 report unusual-form 2 current->cred - */
	audit(k);
	k->a = uid.val + gid.val;
	k->b = current_fsuid().val;

	return put_user(k->a, &u->a);
}
