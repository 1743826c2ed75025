// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper's helper that asks for a capability
 * Row: capable() between
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

static bool may(void) { return capable(1); }

static bool allowed(struct karg *k)
{
	return k->flag && may();
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report capability-between 2 current->cred - */
	k->c = allowed(k);
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
