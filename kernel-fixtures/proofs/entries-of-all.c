// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of a table for the number of its entries
 * Verdict: proven
 */
#include <linux/errno.h>
#include <linux/kernel.h>

static const int table[] = { 4, 5, 6 };

int subject(unsigned int n)
{
	return n < 3 ? table[n] : -EINVAL;
}
