// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a place has other names on this path
 * Verdict: proven
 */
struct box {
	int first, second;
};

int changed(struct box *one, struct box *other, int *next)
{
	if (one != other || next != &other->second)
		return 0;
	one->second = 3;
	one->first = *next;
	return one->second;
}
