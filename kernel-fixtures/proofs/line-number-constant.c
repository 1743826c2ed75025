// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number that is the next line and passed to a call grows by one, as a line is inserted
 * Verdict: different
 * Says: pause
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int pause(struct karg *k, int milliseconds);

int subject(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->q0, &u->q0))
		return -EFAULT;
	return pause(k, 12);
}
