// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable gets a name that headers of alpha define as a macro
 * Verdict: not proven
 * Says: of another architecture or configuration may define this name
 */
unsigned long changed(unsigned long base, unsigned long more);

unsigned long changed(unsigned long base, unsigned long more)
{
	unsigned long kept = base + more;

	return kept + 2 * more;
}
