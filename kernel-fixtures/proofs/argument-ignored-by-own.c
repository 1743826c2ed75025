// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another argument for a function of the file that makes no use of it
 * Verdict: proven
 */
#include <linux/types.h>

struct reader {
	int colour;
	int number;
};

static inline int colour(const struct reader *r, int number)
{
	return r->colour;
}

int changed(const struct reader *r)
{
	return colour(r, r->number) + sizeof(r->number);
}
