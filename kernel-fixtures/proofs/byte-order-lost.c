// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a conversion that does nothing on x86 is dropped
 * Verdict: not proven
 * Says: byte order
 */
#include <fixture/arguments.h>
#include <asm/byteorder.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = le32_to_cpu((__force __le32)k->words[0]);
	k->b = le32_to_cpu((__force __le32)k->words[1]);
	return 0;
}
