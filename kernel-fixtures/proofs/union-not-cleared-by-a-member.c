// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an empty initialiser clears a union, one of a member need not clear the rest
 * Verdict: not proven
 * Says: need not clear what is between
 */
#include <linux/string.h>
#include <linux/types.h>

union address {
	u8 all[16];
	__be32 short_one;
};

void insert(const union address *address);
int subject(__be32 value);
int subject(__be32 value)
{
	union address address = {};

	if (!value)
		return 0;
	address.short_one = value;
	insert(&address);
	return 1;
}
