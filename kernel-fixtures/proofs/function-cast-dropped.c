// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a callback takes the type of pointer that its callers pass, and needs no cast
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/kernel.h>

int on_release(struct karg *k, void (*release)(void *), void *data);

static void release_one(struct karg *k)
{
	k->a = 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return on_release(k, (void (*)(void *))release_one, k);
}
