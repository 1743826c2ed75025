// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro checks the types of its arguments, and is written otherwise
 * Verdict: proven
 */
#include <linux/typecheck.h>
#include <linux/types.h>

#define OLDER(a, b) (typecheck(u32, a) && typecheck(u32, b) && (s32)((a) - (b)) < 0)

int subject(u32 a, u32 b);

int subject(u32 a, u32 b)
{
	return OLDER(a, b) ? 1 : 0;
}
