// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a conversion moves to the next value of a variable
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/compat.h>

void __user *subject(compat_uptr_t v, compat_uptr_t w, void __user **q)
{
	void __user *a;

	*q = compat_ptr(v);
	v = w;
	a = (void __user *)(unsigned long)v;
	return a;
}
