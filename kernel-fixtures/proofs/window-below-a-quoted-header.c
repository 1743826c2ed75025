// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a window in a file that includes a header in quotes, which might name user_write_access_end() otherwise
 * Verdict: proven
 */
#include "fixture/arguments.h"
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) ||
	    put_user(k->h0, &u->h0) ||
	    put_user(k->q0, &u->q0))
		return -EFAULT;

	k->total++;
	return 0;
}
