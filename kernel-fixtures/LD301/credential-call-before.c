// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first load moves up past a call whose code is not seen
 * Row: the place of the first use
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->total = encode(k->c);
	k->a = from_kuid(current_user_ns(), (kuid_t){ 1 });	/* want: LD301 rewrite prepared 2 current->cred - */
	k->b = from_kuid(current_user_ns(), (kuid_t){ 2 });

	return put_user(k->a, &u->a);
}
