// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a declaration that is given no value goes by its own length
 * Row: the place of the first use
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct karg *middle_of_all = k;
	u32 serial;

	serial = next_serial(k);
	if (k->flag)
		return serial;

	k->a = from_kuid(current_user_ns(), (kuid_t){ k->b });	/* want: LD301 rewrite prepared 2 current->cred - */
	audit(middle_of_all);
	k->b = from_kgid(current_user_ns(), (kgid_t){ k->c }) + serial;

	return put_user(k->a, &u->a);
}
