// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what one expression orders, and what all compilers read from left to right
 * Verdict: proven
 */
#include <linux/compiler.h>
#include <linux/types.h>

struct list {
	struct list *next;
	volatile u32 *v;
	u32 n;
};
extern u32 limit;
u32 use(u32 a, u32 b);
u32 subject(struct list *l, u32 c);

u32 subject(struct list *l, u32 c)
{
	struct list *next = READ_ONCE(l->next);
	u32 a, b = READ_ONCE(next->n), *w = &l->n;
	volatile u32 *v = l->v;

	if (READ_ONCE(l->n))
		if (READ_ONCE(w[1]))
			c++;
	a = READ_ONCE(l->v[1]);
	b += use(0, a);
	l->v[a] = b;
	a = use(*w, c);
	*v = a;
	c = READ_ONCE(w[3]);
	a = l->v[c];
	c = use(a, b);
	return c < limit;
}
