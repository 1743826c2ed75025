// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a test of a static key of the file as a condition
 * Verdict: proven
 */
#include <linux/jump_label.h>

DEFINE_STATIC_KEY_FALSE(needed);

int subject(int a, int b);
int subject(int a, int b)
{
	return static_branch_unlikely(&needed) ? a : b;
}
