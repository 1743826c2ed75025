// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an accessor that means something else in this file
 * Row: unusual forms
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

static kuid_t uid_of_file(void)
{
	return (kuid_t){ 7 };
}

#undef current_uid
#define current_uid()	uid_of_file()

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report unusual-form 2 current->cred - */
	put_cred(get_cred(kernel_cred()));
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
