// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first member of no object is no member, where another one may be the first
 * Verdict: not proven
 * Says: the place of a member may be another number
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

	if (!item)
		return NULL;
	return &item->base;
}
