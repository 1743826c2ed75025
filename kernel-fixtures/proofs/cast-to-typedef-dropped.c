// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a cast to such a type that C does not need
 * Verdict: proven
 */
#include <linux/types.h>

typedef struct { u32 a; u16 b; u32 c; } one_t;

u32 subject(void *p)
{
	one_t *x = (one_t *)p;

	return x->c;
}
