// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same, with a window after the accesses
 * Verdict: refused
 * Says: outside its window
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u->words, 32))
		return -EFAULT;

	if (k->index)
		unsafe_put_user(k->b, &u->words[8], efault);
	unsafe_put_user(k->a, &u->words[4], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
