// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a word is copied
 * Verdict: proven
 */
#include <linux/string.h>
#include <linux/types.h>

u32 subject(u32 *p)
{
	u32 word = *p;

	return word;
}
