// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a first load that is not always made
 * Row: the place of the first use
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag && k->a != current_uid().val)	/* want: LD301 rewrite manual 2 current->cred - */
		audit(k);
	if (k->b)
		k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
