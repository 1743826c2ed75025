// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a second pointer goes ahead of the first
 * Verdict: proven
 */
#include <linux/ctype.h>
#include <linux/types.h>

int pairs(const char *text);

int pairs(const char *text)
{
	int found = 0;

	for (; *text; text++) {
		if (text[0] == text[1])
			found++;
	}

	return found;
}
