// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number for the entries of a table of which an option adds one
 * Verdict: not proven
 * Says: ARRAY_SIZE may have another value
 */
#include <linux/errno.h>
#include <linux/kernel.h>

static const int table[] = {
	1,
#ifdef CONFIG_NUMA
	2,
#endif
	3,
};

int subject(unsigned int n)
{
	return n < ARRAY_SIZE(table) ? table[n] : -EINVAL;
}
