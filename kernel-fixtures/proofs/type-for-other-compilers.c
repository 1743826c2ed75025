// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a type has an extension of gcc where gcc compiles it, and is the same type elsewhere
 * Verdict: proven
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	__u64 sum = k->q0;

	sum = sum - k->q1;
	k->q0 = sum + sizeof(sum);
	return 0;
}
