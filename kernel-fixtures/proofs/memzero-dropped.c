// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a key on the stack is no longer cleared
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/string.h>
#include <linux/uaccess.h>

void get_key(u8 *key);

int subject(struct karg *k, struct uarg __user *u)
{
	u8 key[32];
	u32 a, b;
	get_key(key);
	a = key[0] + key[5];
	b = key[1];
	memzero_explicit(key, sizeof(key));

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
