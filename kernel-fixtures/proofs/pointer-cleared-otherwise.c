// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer is set to NULL, for which no order is needed
 * Verdict: proven
 */
#include <linux/rcupdate.h>

struct hint {
	int value;
};
struct owner {
	struct hint __rcu *hint;
};
void subject(struct owner *o, struct hint *hint);

void subject(struct owner *o, struct hint *hint)
{
	if (rcu_access_pointer(o->hint) == hint)
		rcu_assign_pointer(o->hint, NULL);
}
