// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer of a 32-bit task is cast, which drops no bit on s390
 * Verdict: not proven
 * Says: 32-bit task
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->user = compat_ptr(k->uptr32);
	return 0;
}
