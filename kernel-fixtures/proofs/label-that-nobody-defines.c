// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label gets a name that nobody defines, and a function another one
 * Verdict: proven
 */
unsigned long changed(unsigned long base, unsigned long more);

unsigned long changed(unsigned long base, unsigned long more)
{
	if (base > more)
		goto last;
	more += base;

	base += 7;
last:
	return base + 2 * more;
}
