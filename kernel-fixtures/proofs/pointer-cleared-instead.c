// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one pointer is published where another one was cleared
 * Verdict: not proven
 * Says: may
 */
#include <linux/rcupdate.h>

struct hint {
	int value;
};
struct owner {
	struct hint __rcu *hint, *other;
};
void subject(struct owner *o, struct hint *hint);

void subject(struct owner *o, struct hint *hint)
{
	hint->value = 1;
	RCU_INIT_POINTER(o->other, NULL);
	rcu_assign_pointer(o->hint, hint);
}
