// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array at the end of a structure gets any size, and its first element is used
 * Verdict: proven
 */
#include <linux/types.h>

struct name {
	unsigned short length;
	char text[0];
};

int subject(struct name *name);

int subject(struct name *name)
{
	if (name == NULL)
		return 0;
	return *name->text;
}
