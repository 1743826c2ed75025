// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a guard of the file, with which other credentials are in force
 * Row: scopes
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

static const struct cred *own;

static inline void take_on(struct karg *k)
{
	own = override_creds(kernel_cred());
}

static inline void give_back(struct karg *k)
{
	revert_creds(own);
}

DEFINE_GUARD(as_kernel, struct karg *, take_on, give_back)

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report credentials-change 2 current->cred - */
	guard(as_kernel)(k);
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
