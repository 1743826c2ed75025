// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an index takes the place of a pointer, and begins too late
 * Verdict: not proven
 * Says: the result
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
