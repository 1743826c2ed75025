// SPDX-License-Identifier: GPL-2.0
/*
 * Title: test_bit() without acquire, which x86 has in any load
 * Verdict: not proven
 * Says: may order accesses to memory without test_bit_acquire
 */
#include <linux/bitops.h>

int changed(unsigned long *flags, const int *value)
{
	return test_bit_acquire(3, flags) ? *value : 0;
}
