// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another one of two loads from a device may be early
 * Verdict: not proven
 * Says: this architecture may order
 */
#include <fixture/arguments.h>
#include <linux/io.h>

int changed(struct karg *k, void __iomem *p, void __iomem *q)
{
	k->a = readl(p);
	k->b = readl_relaxed(q);
	return 0;
}
