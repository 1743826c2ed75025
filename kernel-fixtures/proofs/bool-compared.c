// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a bool is compared with another one instead of being negated
 * Verdict: proven
 */
#include <fixture/arguments.h>

extern bool told(u32 number);
extern void tell(u32 number, bool truth);

void report(u32 number, const bool negated)
{
	bool truth;

	truth = told(number);
	if (negated)
		truth = !truth;

	tell(number, truth);
}
