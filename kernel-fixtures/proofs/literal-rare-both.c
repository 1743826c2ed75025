// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a literal changes on a rare path
 * Verdict: different
 * Says: 'abc'
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

void say(const char *s);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b = k->b;
	say(a * 2654435761u == (b ^ 0x5bd1e995) ? "abc" : "xyz");

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
