// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function of another file is declared with another type
 * Verdict: not proven
 * Says: which another file defines, is declared with other types
 */
#include <linux/types.h>

long elsewhere(void);

int subject(u32 *p)
{
	int value = *p + 1;

	return elsewhere() + value;
}
