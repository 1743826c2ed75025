// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value is chosen by a feature, with another order of statements
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <asm/cpufeature.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 value = k->a;

	if (static_cpu_has(X86_FEATURE_AVX512F))
		value = k->b;
	return put_user(value, &u->a);
}
