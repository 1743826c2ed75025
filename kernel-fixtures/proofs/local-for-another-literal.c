// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a literal takes the place of an array with other characters
 * Verdict: different
 */
#include <linux/types.h>

int mounted(char *options, u32 k);

int subject(u32 k)
{
	char options[] = "same";

	return mounted(options, k);
}
