// SPDX-License-Identifier: GPL-2.0
/*
 * Title: messages of DEBUG, which a Makefile may define, are switched off
 * Verdict: not proven
 * Says: decided by the preprocessor
 */
#include <linux/errno.h>
#include <linux/printk.h>

#define TWICE(x) ((x) * 2)

int subject(int *p);

int subject(int *p)
{
	if (p == NULL)
		return -EINVAL;
	return TWICE(*p);
}
