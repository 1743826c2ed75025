// SPDX-License-Identifier: GPL-2.0
/*
 * Title: it is kept in another variable
 * Verdict: proven
 */
#include <fixture/arguments.h>

#ifdef CONFIG_NEVER_SET
bool is_shared(struct karg *k);
#else
static inline bool is_shared(struct karg *k)
{
	return false;
}
#endif

bool asked(struct karg *k)
{
	bool shared = is_shared(k);

	k->a = shared;
	return shared;
}
