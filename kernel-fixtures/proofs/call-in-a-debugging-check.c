// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call moves into a check that other configurations leave out
 * Verdict: not proven
 * Says: need not evaluate it in another configuration
 */
#include <linux/mmdebug.h>

unsigned long told(unsigned long base);
void changed(unsigned long base);

void changed(unsigned long base)
{
	unsigned long sum = told(base);

	VM_BUG_ON(sum > 100);
}
