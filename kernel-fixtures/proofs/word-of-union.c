// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the lower half of a word as a member of a local union in a structure
 * Verdict: not proven
 * Says: which bytes of another type it accesses
 */
#include <linux/types.h>

struct pair {
	union {
		int half[2];
		long whole;
	};
};

long give(void);

int subject(void)
{
	long v = give();

	return v;
}
