// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value that a macro makes useless, set elsewhere
 * Verdict: proven
 */
int use(int value);

#ifndef CONFIG_HOTCOCCI
#define TAKE(value) ((value) = 3)
#else
#define TAKE(value) ((void)0)
#endif
#define BEGIN(value) do { TAKE(value); use(1); } while (0)

int changed(int a);

int changed(int a)
{
	int found = a;

	BEGIN(found);
	return use(found);
}
