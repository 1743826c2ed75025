// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another value that a macro of a macro only makes useless where an option is on
 * Verdict: not proven
 * Says: another value
 */
int use(int value);

#ifndef CONFIG_HOTCOCCI
#define TAKE(value) ((value) = 3)
#else
#define TAKE(value) ((void)0)
#endif
#define BEGIN(value) do { TAKE(value); use(1); } while (0)

int changed(int a, int b);

int changed(int a, int b)
{
	int found = a;

	BEGIN(found);
	return use(found);
}
