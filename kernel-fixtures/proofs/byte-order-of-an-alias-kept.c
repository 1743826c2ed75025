// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another name for the same conversion of byte order
 * Verdict: proven
 */
#include <linux/bitops.h>

#define in_map test_bit_le
#define is_used test_bit_le

bool subject(const void *map, unsigned int n)
{
	return in_map(n, map);
}
