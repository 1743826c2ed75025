// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another value that a function only makes useless where an option is on
 * Verdict: not proven
 * Says: another value
 */
int read_value(void);

#ifndef CONFIG_HOTCOCCI
static inline void find(int *found)
{
	*found = read_value();
}
#else
static inline void find(int *found)
{
}
#endif

int use(int value);
int changed(int a, int b);

int changed(int a, int b)
{
	int found = a;

	find(&found);
	return use(found);
}
