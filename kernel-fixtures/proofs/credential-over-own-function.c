// SPDX-License-Identifier: GPL-2.0
/*
 * Title: credentials are loaded once for both sides of a function of the same file that calls a pointer
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/user_namespace.h>

static noinline void notify(struct karg *k, void (*hook)(struct karg *))
{
	hook(k);
	audit(k);
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = from_kuid(&init_user_ns, current_fsuid());
	notify(k, audit);
	k->b = from_kgid(&init_user_ns, current_fsgid());

	return 0;
}
