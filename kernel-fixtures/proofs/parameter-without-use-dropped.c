// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a parameter that a static function has no use of goes
 * Verdict: proven
 */
#include <linux/types.h>

struct rate {
	u32 factor;
	u32 shift;
};

u64 subject(const struct rate *rate, u64 value, u64 rest);
static noinline u64 scaled(const struct rate *rate, u64 value, u64 mask, u64 rest)
{
	return ((value * rate->factor) - rest) >> rate->shift;
}

u64 subject(const struct rate *rate, u64 value, u64 rest)
{
	return value > rest ? scaled(rate, value, 0, rest) : 0;
}
