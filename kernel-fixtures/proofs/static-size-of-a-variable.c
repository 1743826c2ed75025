// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a static table has the size of a variable, and another variable reads it
 * Verdict: proven
 */
unsigned int changed(unsigned int place);

unsigned int changed(unsigned int place)
{
	static const unsigned int steps[] = { 4, 1024 };

	return steps[place & 1] + 7;
}
