// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a branch of an option that is off is asked with another value
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/kernel.h>

void other(int n);

int subject(int a, int b)
{
	int more = a + 1;

	if (b > 8)
		other(a);
#ifdef CONFIG_NO_SUCH_OPTION
	else if (more > 4)
		other(b);
#endif
	return a;
}
