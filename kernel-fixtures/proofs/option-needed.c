// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a declaration for an option without which it does not compile
 * Verdict: proven
 */
int use(int value);
int changed(int a, int b);

int changed(int a, int b)
{
#ifdef CONFIG_SMP
	int found = a;
#endif

	if (found == 0)
		found = b;
	return use(found);
}
