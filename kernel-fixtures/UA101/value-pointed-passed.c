// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the fault path calls a function that may have a pointer to the local
 * Row: destination read on the fault path
 * Shape: D
 * Twin: value-pointed
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static u32 *kept;

static void keep(u32 *where)
{
	kept = where;
}

static void report(struct karg *k)
{
	k->total = kept[0] + kept[1];
}

int subject(struct karg *k, struct uarg __user *u)
{
	u32 words[2] = { 1, 2 };

	keep(words);
	if (get_user(words[0], &u->a))	/* want: UA101 report value-read-on-fault 2 u read */
		goto out;
	if (get_user(words[1], &u->b))
		goto out;

	k->a = words[0] + words[1];
	return 0;
out:
	report(k);
	return -EFAULT;
}
