// SPDX-License-Identifier: GPL-2.0
/*
 * Title: attributes are written as macros
 * Verdict: proven
 */
#include <linux/types.h>

struct tight {
	u8 a;
	u32 b;
} __attribute__((packed));

struct loose {
	u8 a;
	u32 b;
} __attribute__((aligned(8)));

u32 subject(struct tight *p, struct loose *q)
{
	if (p->a)
		return p->b;
	else
		return q->b;
}
