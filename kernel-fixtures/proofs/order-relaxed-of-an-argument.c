// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro is given another function to call, which orders less
 * Verdict: not proven
 * Says: readl_relaxed_poll_timeout\(\) may be other code
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
