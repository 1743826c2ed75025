// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable of .init.data is taken for its initial value
 * Verdict: different
 * Says: it returned
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>
#include <linux/init.h>

static unsigned int limit __initdata = 5;
void __init set_limit(unsigned int value);
int __init start(struct karg *k, struct uarg __user *u);

void __init set_limit(unsigned int value)
{
	limit = value;
}

int __init start(struct karg *k, struct uarg __user *u)
{
	if (k->count > limit)
		return -EINVAL;
	return get_user(k->a, &u->a);
}
