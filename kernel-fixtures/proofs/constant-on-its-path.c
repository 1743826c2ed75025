// SPDX-License-Identifier: GPL-2.0
/*
 * Title: calls with a constant, and with the same number, stay in their order
 * Verdict: proven
 */
#include <linux/mm.h>

extern int put(void *p, size_t n);

int subject(void *p, void *q)
{
	int err = put(p, PAGE_SIZE);

	if (!err) {
		p = q;
		err = put(p, 4096);
		if (err)
			return 2;
		else
			return 0;
	}
	return 1;
}
