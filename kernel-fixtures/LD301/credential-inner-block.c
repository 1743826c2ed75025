// SPDX-License-Identifier: GPL-2.0
/*
 * Title: both loads in one branch stay there
 * Row: the place of the first use
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag) {
		u32 own = k->c;

		k->a = from_kuid(current_user_ns(), (kuid_t){ own });	/* want: LD301 rewrite prepared 2 current->cred - */
		k->b = from_kgid(current_user_ns(), (kgid_t){ own });
	}

	return put_user(k->a, &u->a);
}
