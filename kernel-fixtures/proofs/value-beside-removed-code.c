// SPDX-License-Identifier: GPL-2.0
/*
 * Title: code that the preprocessor removes uses another value
 * Verdict: proven
 */
extern void use(int m);

int subject(int x, int y)
{
	int mask = 7, sum;

	if (x > 4)
		mask = 3;
#ifdef CONFIG_S390
	use(mask);
#endif
	if (y)
		sum = x + y;
	else
		sum = x;
	return sum;
}
