// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a name for a function that converts the byte order is lost
 * Verdict: not proven
 * Says: in_map\(\) may be other code
 */
#include <linux/bitops.h>

#define in_map test_bit_le
#define is_used test_bit_le

bool subject(const void *map, unsigned int n)
{
	return in_map(n, map);
}
