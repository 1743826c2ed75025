// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that is empty in this configuration gets another argument
 * Verdict: not proven
 * Says: watch\(\) does nothing
 */
#include <fixture/arguments.h>

#ifdef CONFIG_NO_KERNEL_HAS_THIS
void watch(u32 *p);
#else
static inline void watch(u32 *p) { }
#endif

int subject(struct karg *k, struct uarg __user *u)
{
	watch(&k->a);
	k->a = k->b;
	return 0;
}
