// SPDX-License-Identifier: GPL-2.0
/*
 * Title: code of an option that is on, and a right change beside it
 * Verdict: proven
 */
int use(int value);
int changed(int a, int b);

int changed(int a, int b)
{
	int found = a;

#ifdef CONFIG_SMP
	if (found)
		found = 3;
#endif
	if (found == 0)
		found = b;
	return use(found);
}
