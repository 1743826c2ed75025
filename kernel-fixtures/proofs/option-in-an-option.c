// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another value that only an option within another one makes useless
 * Verdict: not proven
 * Says: where options leave out
 */
int use(int value);
int changed(int a, int b);

int changed(int a, int b)
{
	int found;

#ifdef CONFIG_SMP
	found = a;
#ifdef CONFIG_NUMA
	found = 3;
#endif
#else
	found = a;
#endif
	return use(found);
}
