// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bug table entry of a WARN() is not compared
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

/* What WARN() of newer trees calls on x86, with its entry in a table of the object. */
void __SCT__WARN_trap(const void *entry);

static const char entries[2][16] = { "one", "another" };

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->a > 7)
		__SCT__WARN_trap(entries[0]);

	return copy_from_user(&k->b, &u->a, sizeof(k->b)) ? -EFAULT : 0;
}
