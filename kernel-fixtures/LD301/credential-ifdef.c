// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load that only some configurations have
 * Row: preprocessor lines between
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report ifdef 2 current->cred - */
	audit(k);
#ifdef CONFIG_FIXTURE_SERIAL
	k->b = current_gid().val;
#endif

	return put_user(k->a, &u->a);
}
