// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same of a function that only has such a name
 * Verdict: not proven
 * Says: may differ
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

int kstrtospeed(const char *b, int *v);
int set(int v);
int subject(const char *b);

int subject(const char *b)
{
	int v;

	if (kstrtospeed(b, &v))
		return -1;
	if (v > 255)
		v = 255;
	else if (v < 0)
		v = 0;
	return set(v);
}
