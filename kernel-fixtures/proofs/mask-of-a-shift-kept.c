// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the mask of the count of a shift gets a name
 * Verdict: proven
 */
#include <fixture/arguments.h>

u32 shifted(struct karg *k);

u32 shifted(struct karg *k)
{
	return k->a << (k->b & 31);
}
