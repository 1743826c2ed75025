// SPDX-License-Identifier: GPL-2.0
/*
 * Title: headers in another order, and one more
 * Verdict: proven
 */
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>

int subject(void __iomem *r, u64 v, int x)
{
	writeq(v, r);
	if (x == 1)
		return 2;
	else
		return 3;
}
