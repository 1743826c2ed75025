// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an argument that fits on the line now
 * Row: layout
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 rather_a_long_name_for_a_local;

	rather_a_long_name_for_a_local = from_kuid(current_user_ns(),	/* want: LD301 rewrite prepared 2 current->cred - */
						   (kuid_t){ k->b });
	k->a = from_kgid(current_user_ns(), (kgid_t){ k->c }) +
	       rather_a_long_name_for_a_local;

	return put_user(k->a, &u->a);
}
