// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a volatile access in the place of READ_ONCE(), which orders dependent loads on alpha
 * Verdict: not proven
 * Says: may order accesses to memory
 */
#include <linux/compiler.h>

void *subject(void **p)
{
	return READ_ONCE(*p);
}
