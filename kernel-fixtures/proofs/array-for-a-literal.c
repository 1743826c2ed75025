// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array of constant characters takes the place of a literal
 * Verdict: not proven
 * Says: may differ
 * Unproven: a pointer to an array may be compared with others
 */
#include <linux/types.h>

const char *subject(u32 k)
{
	return k ? "some" : "none";
}
