// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an error of all architectures by its name
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/errno.h>

int changed(struct karg *k)
{
	return k->a ? -12 : 0;
}
