// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number in the place of an enumerator that is counted from one of an option
 * Verdict: not proven
 * Says: MIGRATE_ISOLATE may have another value
 */
#include <fixture/arguments.h>
#include <linux/mmzone.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return k->a == MIGRATE_ISOLATE ? -EBUSY : 0;
}
