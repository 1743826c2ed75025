// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what a macro that is empty here may set, left out
 * Verdict: not proven
 * Says: is not reached as before
 */
#ifdef CONFIG_HOTCOCCI
extern int given;
#define take(value) ((value) = given)
#else
#define take(value) do { } while (0)
#endif

int use(int value);
int changed(int a);

int changed(int a)
{
	int found = 0;

	take(found);
	return use(a + found);
}
