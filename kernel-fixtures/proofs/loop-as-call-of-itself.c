// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop becomes a call of the function itself at its end, of which gcc makes the same loop
 * Verdict: not proven
 * Says: need a stack for each
 */
#include <fixture/arguments.h>

struct part {
	struct part *whole;
	int number;
};

int number_of_whole(struct part *p);

int number_of_whole(struct part *p)
{
	while (p->whole)
		p = p->whole;
	return p->number;
}
