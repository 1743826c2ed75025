// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another pointer is published without order
 * Verdict: not proven
 * Says: may order
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
	hint->value = 1;
	rcu_assign_pointer(o->hint, hint);
}
