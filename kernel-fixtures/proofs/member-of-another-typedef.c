// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member at the same place in another type, which has a name by typedef alone
 * Verdict: not proven
 * Says: a size or the place of a member may be another number
 */
#include <linux/types.h>

typedef struct { u32 a; u16 b; u32 c; } one_t;
typedef struct { u32 a; u32 b; u32 c; } other_t;

u32 subject(void *p)
{
	one_t *x = p;

	return x->c;
}
