// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another value that code of an option in another function makes useless
 * Verdict: not proven
 * Says: where options leave out
 */
int use(int value);

static int find(int *found)
{
#ifdef CONFIG_SMP
	*found = 3;
#endif
	return use(1);
}

int changed(int a, int b);

int changed(int a, int b)
{
	int found = a;

	find(&found);
	return use(found);
}
