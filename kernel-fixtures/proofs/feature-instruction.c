// SPDX-License-Identifier: GPL-2.0
/*
 * Title: other processors do not run an instruction any more
 * Verdict: not proven
 * Says: processors with other features
 */
#include <fixture/arguments.h>
#include <asm/alternative.h>
#include <asm/cpufeature.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	alternative("", "mfence", X86_FEATURE_AVX512F);
	return put_user(k->a, &u->a) ? -EFAULT : 0;
}
