// SPDX-License-Identifier: GPL-2.0
/*
 * Title: preprocessor lines between that hold none of the loads
 * Row: preprocessor lines between
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 rewrite prepared 2 current->cred - */
#ifdef CONFIG_FIXTURE_SERIAL
	audit(k);
#endif
	audit(k);
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
