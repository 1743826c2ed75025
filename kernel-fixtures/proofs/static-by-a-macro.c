// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro makes a variable static that was declared before
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/sysfs.h>
#include <linux/uaccess.h>

static const struct attribute_group *own_groups[];

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;

	return own_groups[0] ? 0 : -EINVAL;
}

static struct attribute *own_attrs[] = { NULL };
ATTRIBUTE_GROUPS(own);
