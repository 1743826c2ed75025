// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an index of 16 bits takes the place of a pointer
 * Verdict: not proven
 * Unproven: it is wrong for long strings, which no run has
 */
#include <linux/ctype.h>
#include <linux/types.h>

int words(const char *text);

int words(const char *text)
{
	bool blank = true;
	int found = 0;

	for (; *text; text++) {
		if (isspace(*text)) {
			blank = true;
		} else if (blank) {
			blank = false;
			found++;
		}
	}

	return found;
}
