// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper of the file asks for a capability
 * Row: capable()
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

static bool may_audit(void)
{
	return capable(CAP_SYS_ADMIN);
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report capability-between 2 current->cred - */
	if (!may_audit())
		return 0;
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
