// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable is read before a call by clang, and after it by gcc
 * Verdict: not proven
 * Says: leaves open whether limit or other
 */
int other(void);
int subject(void);
extern int limit;

int subject(void)
{
	int n = other();

	if (limit > n)
		return 1;
	return 0;
}
