// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assertion compares with the same constant, and code with another one of the same value
 * Verdict: proven
 */
#include <linux/build_bug.h>
#include <linux/mm.h>

int subject(int *p);

int subject(int *p)
{
	const int most = 1 << 16, error = -EINVAL;

	BUILD_BUG_ON(PAGE_SIZE > most);
	if (p == NULL)
		return error;
	return *p;
}
