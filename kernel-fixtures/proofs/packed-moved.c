// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another one of two structures may be at any address
 * Verdict: not proven
 * Says: this architecture may need no alignment
 */
#include <fixture/arguments.h>
#include <linux/types.h>

struct one { u32 a; u32 b; } __packed;
struct two { u32 a; u32 b; };
int changed(struct one *p, struct two *q)
{
	return p->a + q->b;
}
