// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what a function returns without an option is left out
 * Verdict: not proven
 * Says: another value
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
