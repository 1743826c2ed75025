// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another value of an element that only removed code reads
 * Verdict: not proven
 * Says: is not reached as before
 */
int use(int value);
int changed(int a, int b);

int changed(int a, int b)
{
	int pair[2];

	pair[0] = a;
	pair[1] = a;
#ifdef CONFIG_HOTCOCCI
	use(pair[0]);
#endif
	return use(pair[1]);
}
