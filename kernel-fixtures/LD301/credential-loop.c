// SPDX-License-Identifier: GPL-2.0
/*
 * Title: loads in a loop are made before it
 * Row: the place of the first use
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i;

	for (i = 0; i < k->count; i++) {
		if (k->words[i] == current_fsuid().val)	/* want: LD301 rewrite prepared 2 current->cred - */
			break;
		audit(k);
		k->words[i] = current_fsgid().val;
	}

	return put_user(k->a, &u->a);
}
