// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number is compared with another one instead of being negated
 * Verdict: different
 */
#include <fixture/arguments.h>

extern u8 told(u32 number);
extern void tell(u32 number, bool truth);

void report(u32 number, const u8 negated)
{
	u8 truth;

	truth = told(number);
	if (negated)
		truth = !truth;

	tell(number, truth);
}
