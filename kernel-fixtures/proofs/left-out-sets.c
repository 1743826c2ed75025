// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what removed code may set, left out
 * Verdict: not proven
 * Says: is not reached as before
 */
int use(int value);
int changed(int a);

int changed(int a)
{
	int found = 0;

#ifdef CONFIG_HOTCOCCI
	found = use(3);
#endif
	return use(a + found);
}
