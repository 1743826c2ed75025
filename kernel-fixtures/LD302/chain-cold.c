// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that is not hot
 * Row: a chain
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

static __attribute__((__noinline__)) u32 once(struct handle *h)
{
	u32 sum;

	sum = h->mount->slot.volume->disk->sectors;
	h->position = sum;
	sum += h->mount->slot.volume->disk->reads;
	return sum;
}

static u32 (*volatile fixture_once)(struct handle *h) = once;

int subject(struct karg *k, struct uarg __user *u)
{
	return put_user(fixture_once(handle_of(k)), &u->a);
}
