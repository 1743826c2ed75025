// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that calls itself, and a condition the other way round
 * Verdict: proven
 */
#include <fixture/arguments.h>

struct part {
	struct part *whole;
	int number;
};

int number_of_whole(struct part *p);

int number_of_whole(struct part *p)
{
	if (p->whole)
		return number_of_whole(p->whole);
	return p->number;
}
