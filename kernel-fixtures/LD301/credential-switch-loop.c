// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one load or another in each iteration, with calls between
 * Row: the place of the first use
 * Twin: credential-loop
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i;

	for (i = 0; i < k->count; i++) {
		switch (k->words[i] & 3) {
		case 0:
			k->words[i] = current_fsuid().val;	/* want: LD301 report loads-apart 2 current->cred - */
			break;
		case 1:
			k->words[i] = current_fsgid().val;
			break;
		default:
			audit(k);
		}
	}

	return put_user(k->a, &u->a);
}
