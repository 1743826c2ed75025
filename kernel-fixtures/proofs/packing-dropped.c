// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure whose members may be at any address
 * Verdict: not proven
 * Says: attributes and promises
 */
#include <fixture/arguments.h>
#include <linux/types.h>

#pragma pack(push, 1)
struct out { u32 a; u32 b; };
#pragma pack(pop)
int changed(struct out *k)
{
	return k->b;
}
