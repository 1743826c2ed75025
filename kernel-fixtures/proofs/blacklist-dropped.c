// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function may be probed from now on
 * Verdict: not proven
 * Says: contents of _kprobe_blacklist changed
 */
#include <fixture/arguments.h>
#include <linux/kprobes.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a))
		return -EFAULT;
	return 0;
}
NOKPROBE_SYMBOL(subject);
