// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a parameter less of a function that removed code calls
 * Verdict: not proven
 * Says: uses what the change takes away
 */
int use(int value);

static int twice(int value, int unused)
{
	return use(2 * value);
}

#ifdef CONFIG_HOTCOCCI
int other(int value)
{
	return twice(value, 1);
}
#endif

int changed(int value);

int changed(int value)
{
	return twice(value, 2);
}
