// SPDX-License-Identifier: GPL-2.0
/*
 * Title: nobody asks whether the stores arrived
 * Row: failure as success with a default
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	put_user(k->a, &u->a);	/* want: UA101 report result-ignored 3 u write */
	put_user(k->b, &u->b);
	put_user(k->c, &u->c);

	return 0;
}
