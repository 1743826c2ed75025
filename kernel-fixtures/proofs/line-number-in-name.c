// SPDX-License-Identifier: GPL-2.0
/*
 * Title: __LINE__ in the name of a lock that a call gets moves up
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/stringify.h>
#include <linux/uaccess.h>

#define name_lock(k)	__name_lock(k, "subject:" __stringify(__LINE__) ":(" #k ")->lock")

int __name_lock(struct karg *k, const char *name);

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_from_user(&k->q0, &u->q0,
			   sizeof(k->q0)))
		return -EFAULT;

	return name_lock(k);
}
