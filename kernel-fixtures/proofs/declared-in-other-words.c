// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function of another file is declared in other words
 * Verdict: proven
 */
#include <linux/types.h>

unsigned elsewhere(int *value);

int subject(u32 *p)
{
	int value = *p + 1;

	return elsewhere(&value) + value;
}
