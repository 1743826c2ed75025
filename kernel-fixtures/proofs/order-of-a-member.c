// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an argument is read before a call by clang, and after it by gcc
 * Verdict: not proven
 * Says: leaves open whether p->a or p?->?op
 */
#include <linux/types.h>

struct pair {
	u32 a, b;
	u32 (*op)(struct pair *p);
};
u32 use(u32 a, u32 b);
u32 subject(struct pair *p);

u32 subject(struct pair *p)
{
	u32 n = p->op(p);

	return use(p->a, n);
}
