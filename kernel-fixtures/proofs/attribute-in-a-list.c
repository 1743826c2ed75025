// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function gets one more attribute, behind another in a list
 * Verdict: not proven
 * Says: attributes and promises to the compiler are not compared
 */
#include <linux/compiler.h>

__attribute__((nonnull(2))) int listed_attribute(int a, int *b)
{
	return a + *b;
}
