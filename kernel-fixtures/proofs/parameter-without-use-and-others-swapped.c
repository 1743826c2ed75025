// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a parameter without use goes, the others change places, and the code of the call stays
 * Verdict: different
 */
#include <linux/types.h>

void report(const char *what);

int subject(int one, int other);
static noinline int distance(int from, int to, int unused)
{
	report("distance");
	return to - from;
}

int subject(int one, int other)
{
	int found = distance(one, other, 0);

	report("end");
	return found;
}
