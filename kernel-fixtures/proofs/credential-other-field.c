// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a different field is read after the call
 * Verdict: different
 * Says: from_kgid|kernel memory
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/user_namespace.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = from_kuid(&init_user_ns, current_fsuid());
	audit(k);
	k->b = from_kgid(&init_user_ns, current_fsgid());

	return 0;
}
