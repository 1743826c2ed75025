// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function loses a macro that is an attribute, whatever its name is
 * Verdict: not proven
 * Says: attributes and promises to the compiler are not compared
 */
#include <linux/compiler.h>

#define keeps_registers __attribute__((noipa))

keeps_registers int attribute_by_a_macro(int a, int *b)
{
	return a + *b;
}
