// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same around it
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/kernel.h>

void other(int n);
void more(int n);

int subject(int a, int b)
{
	more(a);
	if (b) {
#ifdef CONFIG_NO_SUCH_OPTION
		other(b);
#endif
	}
	return a;
}
