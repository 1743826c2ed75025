// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable that another file may define is weak in other words
 * Verdict: proven
 */
#include <linux/compiler.h>

int level __weak;

int subject(int value)
{
	int sum = value + level;

	return sum;
}
