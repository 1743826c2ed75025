// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function no longer has the convention of calls from assembly, which i386 has
 * Verdict: not proven
 * Says: attributes and promises
 */
#include <fixture/arguments.h>
#include <linux/linkage.h>

asmlinkage int subject(struct karg *k, struct uarg __user *u)
{
	k->a = k->b;
	return 0;
}
