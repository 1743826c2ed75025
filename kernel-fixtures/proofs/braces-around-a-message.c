// SPDX-License-Identifier: GPL-2.0
/*
 * Title: braces around a macro go, and else belongs to its if where messages are on
 * Verdict: not proven
 * Says: note may be no single statement
 */
#include <linux/printk.h>

#ifdef SAMPLE_DEBUG
#define note(value) if (debugging) pr_info("%d\n", value)
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
