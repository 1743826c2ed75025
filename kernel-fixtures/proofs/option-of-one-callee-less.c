// SPDX-License-Identifier: GPL-2.0
/*
 * Title: A function with code of an option is named no more
 * Verdict: proven
 */
static int one(int x)
{
#ifdef CONFIG_MMU
	x++;
#endif
	return x;
}
int other(int a);
int other(int a)
{
	return one(a);
}
int subject(int a, int b);
int subject(int a, int b)
{
	int x = a;

	(void)one;
#ifdef CONFIG_SMP
	x += b;
#endif
	return x;
}
