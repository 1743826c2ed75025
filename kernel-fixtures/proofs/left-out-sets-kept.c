// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what removed code may set, and another sum of it
 * Verdict: proven
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
