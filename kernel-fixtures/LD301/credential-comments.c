// SPDX-License-Identifier: GPL-2.0
/*
 * Title: comments stay where they belong, and an empty line follows declarations
 * Row: the place of the first use
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

static void other(struct karg *k)
{
	if (k->flag) {
		u32 serial = k->a;
		next_serial(k);

		k->a = current_fsuid().val + serial;	/* want: LD301 rewrite prepared 2 current->cred - */
		audit(k);
		k->b = current_fsgid().val;
	}
}

int subject(struct karg *k, struct uarg __user *u)
{
	/* serial a b */
	u32 n;

	n = next_serial(k);
	if (k->flag)
		return n;

	/* who asks, and for whom */
	k->a = from_kuid(current_user_ns(), current_uid());	/* want: LD301 rewrite prepared 3 current->cred - */
	k->b = current_fsgid().val + n;
	other(k);

	return put_user(k->a, &u->a);
}
