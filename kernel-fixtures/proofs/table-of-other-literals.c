// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a table that is given to another function leads to another literal
 * Verdict: same
 * Sampled: it is no right one; no run sees what another function finds there
 */
#include <fixture/arguments.h>
#include <linux/random.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	static const char * const names[2] = { "one", "two" };

	add_device_randomness(names, sizeof(names));

	if (put_user(k->a, &u->a) ||
	    put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
