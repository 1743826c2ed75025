// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that kernels without memory hotplug free after boot
 * Verdict: not proven
 * Says: __meminit may mean something else
 */
#include <fixture/arguments.h>
#include <linux/init.h>
#include <linux/mm.h>

int changed(struct karg *k)
{
	return k->a + 1;
}
