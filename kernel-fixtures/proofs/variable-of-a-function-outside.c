// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a static variable of a function becomes one of the file
 * Verdict: proven
 */
#include <fixture/arguments.h>

#define TWICE(x) ((x) + (x))

u32 counted(u32 k);
int set_up(struct karg *k);

u32 counted(u32 k)
{
	static u32 calls;

	calls += TWICE(k);
	return calls;
}

int set_up(struct karg *k)
{
	mutex_init(&k->lock);
	return 0;
}
