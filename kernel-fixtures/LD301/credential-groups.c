// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a reference to the groups is taken and given back, and no load to be stored
 * Row: accessors that take a reference
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

static struct user_struct *get_current_groups(void)
{
	return get_current_user();
}

int subject(struct karg *k, struct uarg __user *u)
{
	struct user_struct *groups;

	k->a = current_fsgid().val;
	audit(k);
	groups = get_current_groups();
	k->b = groups->count;

	return put_user(k->a, &u->a);
}
