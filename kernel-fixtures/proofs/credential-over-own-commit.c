// SPDX-License-Identifier: GPL-2.0
/*
 * Title: credentials are cached across a function of the same file that changes them
 * Verdict: not proven
 * Says: from_kgid
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/user_namespace.h>

static noinline void install(void)
{
	commit_creds(prepare_creds());
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = from_kuid(&init_user_ns, current_fsuid());
	install();
	k->b = from_kgid(&init_user_ns, current_fsgid());

	return 0;
}
