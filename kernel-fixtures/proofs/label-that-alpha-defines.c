// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label gets a name that headers of alpha define as a macro
 * Verdict: not proven
 * Says: of another architecture or configuration may define this name
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
