// SPDX-License-Identifier: GPL-2.0
/*
 * Title: variables that nothing reads are no longer set
 * Verdict: not proven
 * Says: may differ: kernel memory
 */
#include <linux/types.h>

static int last = 4;
static int kept = 6;

void take(int *p);

void subject(int n)
{
	last = n;
	take(&kept);
	kept++;
}
