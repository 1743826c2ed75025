// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a conversion that does nothing on x86 goes from one function to another
 * Verdict: not proven
 * Says: byte order
 */
#include <fixture/arguments.h>
#include <asm/byteorder.h>

noinline void other(struct karg *k)
{
	k->a = k->words[0];
}

int subject(struct karg *k, struct uarg __user *u)
{
	other(k);
	k->b = le32_to_cpu((__force __le32)k->words[1]);
	return 0;
}
