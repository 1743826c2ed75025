// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a goto leads past the first load to the second
 * Row: the place of the first use
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (next_serial(k) & 1)
		goto out;
	k->a = current_uid().val;	/* want: LD301 rewrite manual 2 current->cred - */
	audit(k);
out:
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
