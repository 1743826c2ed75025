// SPDX-License-Identifier: GPL-2.0
/*
 * Title: static variables of a function become those of the file, and the other one is returned
 * Verdict: not proven
 * Says: the result was
 */
#include <fixture/arguments.h>

#define TWICE(x) ((x) + (x))

u32 counted(u32 k);
int set_up(struct karg *k);

u32 counted(u32 k)
{
	static u32 calls;
	static u32 sum;

	calls += TWICE(k);
	sum += calls;
	return sum;
}

int set_up(struct karg *k)
{
	mutex_init(&k->lock);
	return 0;
}
