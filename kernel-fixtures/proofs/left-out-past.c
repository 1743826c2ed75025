// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a condition decides whether code of an option that is off is reached
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/kernel.h>

void other(int n);

int subject(int a, int b)
{
	if (a < 0)
		goto out;
#ifdef CONFIG_NO_SUCH_OPTION
	other(b);
#endif
out:
	return 0;
}
