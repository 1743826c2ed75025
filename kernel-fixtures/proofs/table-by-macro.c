// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro in a table that nothing compared refers to, next to a correct change
 * Verdict: not proven
 * Says: the contents of .rodata.limits changed
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define LIMIT 8
extern const unsigned int limits[2];
const unsigned int limits[2] = {
	LIMIT, 2 * LIMIT,
};

int subject(struct karg *k, struct uarg __user *u)
{
	return get_user(k->b, &u->b);
}

int other(struct karg *k, struct uarg __user *u);

int other(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a))
		return -EFAULT;
	return 0;
}
