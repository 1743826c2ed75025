// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that returns its argument here, called in the place where its result is used
 * Verdict: proven
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
