// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a constant and the same number change places
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/mm.h>

extern int subject_put(void *p, size_t n);
int subject(void *p, void *q)
{
	if (subject_put(p, PAGE_SIZE))
		return 1;
	p = q;
	if (subject_put(p, 4096))
		return 2;
	return 0;
}
