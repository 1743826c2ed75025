// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an attribute promises that one more parameter is not NULL
 * Verdict: not proven
 * Says: attributes and promises to the compiler are not compared
 */
#include <linux/compiler.h>

__attribute__((nonnull(2))) int promised_parameter(int *a, int *b)
{
	return *a + *b;
}
