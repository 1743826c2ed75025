// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an initialiser names all members, and leaves the padding
 * Verdict: not proven
 * Says: may differ: a local at
 */
#include <linux/errno.h>
#include <linux/types.h>

struct order {
	void *from;
	u32 flags;
	u32 depth;
	u32 opcode;
	u32 kind;
	u32 number;
	void *cached;
	void *near;
	void *far;
};

struct plug {
	u32 number;
	void *cached;
};

void *order_taken(struct order *order);
int order_entered(void *from, u32 flags);
void *ask(void *from, struct plug *plug, u32 opcode, u32 flags);

void *ask(void *from, struct plug *plug, u32 opcode, u32 flags)
{
	struct order order = {
		.from = from,
		.flags = flags,
		.opcode = opcode,
		.number = plug->number,
		.cached = &plug->cached,
	};

	if (order_entered(from, flags))
		return NULL;
	plug->number = 1;
	return order_taken(&order);
}
