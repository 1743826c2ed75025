// SPDX-License-Identifier: GPL-2.0
/*
 * Title: credentials are loaded once for both sides of a function of which another one commits new ones
 * Verdict: not proven
 * Says: from_kgid
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/user_namespace.h>

static noinline void renew(struct karg *k)
{
	commit_creds(prepare_creds());
	audit(k);
}

static noinline void notify(struct karg *k)
{
	renew(k);
	audit(k);
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = from_kuid(&init_user_ns, current_fsuid());
	notify(k);
	k->b = from_kgid(&init_user_ns, current_fsgid());

	return 0;
}
