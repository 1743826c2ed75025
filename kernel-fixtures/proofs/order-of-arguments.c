// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two calls become arguments, of which C leaves the order open
 * Verdict: not proven
 * Says: leaves open
 */
int first(void);
int second(void);
int use(int a, int b);
int subject(void);
int subject(void)
{
	int b = second();
	int a = first();

	return use(a, b);
}
