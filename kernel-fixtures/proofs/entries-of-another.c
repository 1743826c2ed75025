// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the number of entries of another array, which an option adds one to
 * Verdict: not proven
 * Says: may have another value
 */
#include <linux/kernel.h>

static const int first[] = {
	1, 2,
#ifdef CONFIG_NEVER_SET
	3,
#endif
};
static const int second[] = { 4, 5 };

extern int take(const int *values, int n);

int subject(void)
{
	return take(first, 2) +
	       take(second, ARRAY_SIZE(second));
}
