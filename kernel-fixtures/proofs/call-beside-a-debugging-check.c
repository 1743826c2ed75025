// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call of what a check asks gets a variable, and a check another condition
 * Verdict: proven
 */
#include <linux/mmdebug.h>

unsigned long told(unsigned long base);
void changed(unsigned long base);

void changed(unsigned long base)
{
	unsigned long sum = told(base);

	VM_BUG_ON(sum > 100);
}
