// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure without padding is cleared by an empty initialiser, or by one of a member
 * Verdict: proven
 */
#include <linux/string.h>
#include <linux/types.h>

struct address {
	__be32 others[3];
	__be32 short_one;
};

void insert(const struct address *address);
int subject(__be32 value);
int subject(__be32 value)
{
	struct address address = {};

	if (!value)
		return 0;
	address.short_one = value;
	insert(&address);
	return 1;
}
