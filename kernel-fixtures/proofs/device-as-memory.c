// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a volatile load in the place of readl()
 * Verdict: not proven
 * Says: readl\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/io.h>

int changed(void __iomem *p)
{
	return readl(p);
}
