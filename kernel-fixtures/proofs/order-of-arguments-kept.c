// SPDX-License-Identifier: GPL-2.0
/*
 * Title: calls become arguments of others, declarations and operands of &&
 * Verdict: proven
 */
int first(void);
int second(int a);
int use(int a, int b);
int subject(int c);
int subject(int c)
{
	int a, b;

	a = first();
	b = first();
	b = second(b);
	if (first())
		if (second(c))
			return use(a, b);
	return 0;
}
