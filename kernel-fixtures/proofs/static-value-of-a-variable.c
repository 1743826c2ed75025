// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a static table reads a variable, which older compilers take for no constant
 * Verdict: not proven
 * Says: take no variable for a constant
 */
unsigned int changed(unsigned int place);

unsigned int changed(unsigned int place)
{
	static const unsigned int steps[] = { 1000, 1024 };

	return steps[place & 1];
}
