// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable has a value that nothing uses, and then none
 * Verdict: proven
 */
#include <linux/types.h>

int ready(const int *value);

int changed(const int *value)
{
	int ret = 0, one = 1;

	ret = ready(value);
	if (ret)
		return ret;
	return *value + one;
}
