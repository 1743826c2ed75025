// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number in the place of an enumerator that MIPS defines otherwise
 * Verdict: not proven
 * Says: SOCK_STREAM may have another value
 */
#include <fixture/arguments.h>
#include <linux/net.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return k->a == SOCK_STREAM ? 0 : -EPROTOTYPE;
}
