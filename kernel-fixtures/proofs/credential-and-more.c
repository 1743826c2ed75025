// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load from another object is cached with the credentials across a call
 * Verdict: not proven
 * Says: kernel memory
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/user_namespace.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = from_kuid(&init_user_ns, current_fsuid());
	audit(k);
	k->b = k->c + from_kgid(&init_user_ns, current_fsgid());

	return 0;
}
