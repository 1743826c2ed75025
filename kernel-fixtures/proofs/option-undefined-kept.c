// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro of the file ends where it is no longer used
 * Verdict: proven
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
