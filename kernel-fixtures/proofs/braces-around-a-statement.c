// SPDX-License-Identifier: GPL-2.0
/*
 * Title: braces around a macro go that is one statement wherever it is defined
 * Verdict: proven
 */
#include <linux/printk.h>

#ifdef SAMPLE_DEBUG
#define note(value) do { if (debugging) pr_info("%d\n", value); } while (0)
#else
#define note(value) do { } while (0)
#endif

int subject(int a, int b);
int subject(int a, int b)
{
	if (a) {
		note(a);
	} else {
		b++;
	}
	return b;
}
