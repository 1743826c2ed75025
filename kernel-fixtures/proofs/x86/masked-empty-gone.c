// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a window without an access is gone
 * Verdict: refused
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u->words, 32))
		return -EFAULT;
	user_write_access_end();
	return 0;
}
