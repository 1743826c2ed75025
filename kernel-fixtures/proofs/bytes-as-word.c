// SPDX-License-Identifier: GPL-2.0
/*
 * Title: bytes are read as a word, which may not be aligned
 * Verdict: not proven
 * Says: may need no alignment
 */
#include <linux/types.h>

bool subject(const u8 *p)
{
	return !(p[0] | p[1] | p[2] | p[3]);
}
