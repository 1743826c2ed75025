// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array at the end of a structure gets no element, for compilers that do not take it for one of any size
 * Verdict: not proven
 * Says: newer compilers take an array of 0 elements
 */
#include <linux/types.h>

struct name {
	unsigned short length;
	char text[];
};

int subject(struct name *name);

int subject(struct name *name)
{
	if (name == NULL)
		return 0;
	return name->text[name->length];
}
