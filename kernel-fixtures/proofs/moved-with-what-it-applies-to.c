// SPDX-License-Identifier: GPL-2.0
/*
 * Title: statements that move, and a comparison the other way round
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/mm.h>
#include <linux/unaligned.h>

int changed(struct karg *k, u32 *p, __le32 *q)
{
	u32 a = get_unaligned(p), b = le32_to_cpu(*q);

	k->a = a;
	k->b = b;
	return PAGE_SIZE > k->c;
}
