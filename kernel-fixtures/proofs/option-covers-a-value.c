// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another value that only code of an option that is on makes useless
 * Verdict: not proven
 * Says: where options leave out
 */
int use(int value);
int changed(int a, int b);

int changed(int a, int b)
{
	int found;

	found = a;
#ifdef CONFIG_SMP
	found = 3;
#endif
	return use(found);
}
