// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one half of a word is not written
 * Verdict: different
 * Says: call out(
 */
#include <linux/io.h>
#include <linux/types.h>

void subject(u32 word, int base);

void subject(u32 word, int base)
{
	outl(word, base);
}
