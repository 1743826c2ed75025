// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the argument of a function that returns it here, in the place of what it returns
 * Verdict: not proven
 * Says: another value
 */
#include <linux/types.h>

#ifdef CONFIG_HOTCOCCI
void *tagged(void *object);
#else
static inline void *tagged(void *object)
{
	return object;
}
#endif

int use(void *one, void *other);
int changed(void *object);

int changed(void *object)
{
	void *other = tagged(object);

	return use(object, other);
}
