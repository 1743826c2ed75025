// SPDX-License-Identifier: GPL-2.0
/*
 * Title: both loads in some iterations stay in the loop
 * Row: the place of the first use
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i;

	for (i = 0; i < k->count; i++) {
		if (k->words[i] & 1)
			continue;
		if (k->words[i] & 2) {
			k->words[i] = from_kuid(current_user_ns(), (kuid_t){ i });	/* want: LD301 rewrite prepared 2 current->cred - */
			k->words[0] = from_kgid(current_user_ns(), (kgid_t){ i });
		}
	}

	return put_user(k->a, &u->a);
}
