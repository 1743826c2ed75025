// SPDX-License-Identifier: GPL-2.0
/*
 * Title: with 32 bits, another header decides which half is written first
 * Verdict: not proven
 * Says: writeq may mean something else
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
