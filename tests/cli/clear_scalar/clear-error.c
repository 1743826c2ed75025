// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the result is made an error, tested in an expression, or not looked at
 * Row: the use of the result
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *words = u->words;
	int err;

	err = clear_user(&words[1], sizeof(u32));	/* want: UA205 rewrite safe 1 &words[1] write */
	if (err)
		return -EFAULT;
	if (k->flag && clear_user(words, sizeof(*words)) != 0)	/* want: UA205 rewrite safe 1 words write */
		return -EFAULT;
	audit(k);
	return clear_user((u64 __user *)&u->q1, 8) ? -EFAULT : 0;	/* want: UA205 rewrite safe 1 &u->q1 write */
}
