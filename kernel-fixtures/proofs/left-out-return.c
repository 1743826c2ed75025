// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same with a return
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/kernel.h>

void other(int n);

int subject(int a, int b)
{
	if (a < 0)
		return 0;
#ifdef CONFIG_NO_SUCH_OPTION
	other(b);
#endif
	return 0;
}
