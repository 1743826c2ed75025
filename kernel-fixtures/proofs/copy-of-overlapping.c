// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure is copied through a local no more, which differs if source and destination overlap
 * Verdict: not proven
 * Says: kernel memory at
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct large {
	u64 words[40];
};

void copy(struct large *to, const struct large *from)
{
	struct large held = *from;

	*to = held;
}
