// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another feature of the processor is asked for
 * Verdict: different
 */
#include <fixture/arguments.h>
#include <asm/cpufeature.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!static_cpu_has(X86_FEATURE_SHSTK))
		return -EOPNOTSUPP;
	return put_user(k->a, &u->a);
}
