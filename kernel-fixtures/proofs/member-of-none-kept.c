// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first member of no object is not used, with fewer tests
 * Verdict: proven
 */
#include <linux/types.h>

struct base {
	int number;
};

struct item {
	struct base base;
	int number;
};

struct item *find(int number);
struct base *subject(int number);

struct base *subject(int number)
{
	struct item *item = find(number);

	if (!item || item->number == 0 || !item->number)
		return NULL;
	return &item->base;
}
