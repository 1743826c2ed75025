// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro is given the same function to call
 * Verdict: proven
 */
#include <linux/iopoll.h>

int subject(void __iomem *status);

int subject(void __iomem *status)
{
	u32 value;

	if (readl_poll_timeout(status, value, value & 1, 10, 100) != 0)
		return -EIO;
	return 0;
}
