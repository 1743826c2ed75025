// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a capability is asked for before the next iteration
 * Row: capable()
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i;

	for (i = 0; i < k->count; i++) {
		k->words[i] = current_uid().val;	/* want: LD301 report capability-between 2 current->cred - */
		audit(k);
		k->a += current_gid().val;
		if (ns_capable(NULL, CAP_SYS_ADMIN))
			k->b++;
	}

	return put_user(k->a, &u->a);
}
