// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assertion allows more, as the constant of the function that it compares with is another one
 * Verdict: not proven
 * Says: what it asserts may not hold
 */
#include <linux/build_bug.h>
#include <linux/mm.h>

int subject(int *p);

int subject(int *p)
{
	const int most = 1 << 16;

	BUILD_BUG_ON(PAGE_SIZE > most);
	if (p == NULL)
		return -EINVAL;
	return *p;
}
