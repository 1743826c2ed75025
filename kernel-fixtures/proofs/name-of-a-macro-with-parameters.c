// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable gets the name of a macro with parameters, which stands for nothing else
 * Verdict: proven
 */
unsigned long changed(unsigned long base, unsigned long more);

unsigned long changed(unsigned long base, unsigned long more)
{
	unsigned long kept = base + more;

	return kept + 2 * more;
}
