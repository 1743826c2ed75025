// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a static function gets the name of one of s390
 * Verdict: not proven
 * Says: of another architecture or configuration may define this name
 */
static unsigned long both(unsigned long a, unsigned long b)
{
	return a + b;
}

unsigned long changed(unsigned long base, unsigned long more);

unsigned long changed(unsigned long base, unsigned long more)
{
	unsigned long kept = both(base, more);

	return kept + 2 * more;
}
