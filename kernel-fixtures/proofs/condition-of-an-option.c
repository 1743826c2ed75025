// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value is only used where a function of a header is true, which an option decides
 * Verdict: not proven
 * Says: another configuration
 */
#include <linux/kasan-enabled.h>

extern int take(int value);

int subject(int x, int y)
{
	int value = x;

	value = y;
	if (kasan_hw_tags_enabled())
		take(value);
	return 0;
}
