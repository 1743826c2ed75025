// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable that another file may define is no longer weak
 * Verdict: not proven
 * Says: level as a weak symbol is no longer defined
 */
#include <linux/compiler.h>

int level __weak;

int subject(int value)
{
	int sum = value + level;

	return sum;
}
