// SPDX-License-Identifier: GPL-2.0
/*
 * Title: nothing but memset() is before the first load
 * Row: declaration
 * Twin: credential-later
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 seen[2];

	memset(seen, 0, sizeof(seen));
	k->c = k->b;
	k->a = from_kuid(current_user_ns(), current_uid());	/* want: LD301 rewrite prepared 4 current->cred - */
	k->b = from_kgid(current_user_ns(), current_gid());

	return put_user(seen[1], &u->a);
}
