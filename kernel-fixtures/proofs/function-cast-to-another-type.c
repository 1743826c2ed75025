// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a callback takes another type of pointer, and is cast where it is passed
 * Verdict: not proven
 * Says: CONFIG_CFI_CLANG
 */
#include <fixture/arguments.h>
#include <linux/kernel.h>

int on_release(struct karg *k, void (*release)(void *), void *data);

static void release_one(void *data)
{
	struct karg *k = data;

	k->a = 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return on_release(k, release_one, k);
}
