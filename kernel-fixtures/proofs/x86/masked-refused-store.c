// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same, where a refusal stored
 * Verdict: refused
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 n = k->count;

	if (n > 0x10000)
		return -EINVAL;
	if (!user_write_access_begin(u, offsetof(struct uarg, words) + n))
		goto refused;

	if (k->flag)
		unsafe_put_user(k->a, &u->a, efault);
	unsafe_copy_to_user(u->words, (void *)k->l0, n, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
refused:
	k->total++;
	return -EFAULT;
}
