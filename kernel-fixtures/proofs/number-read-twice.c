// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what the second call reads is overwritten before
 * Verdict: different
 */
#include <linux/kernel.h>
#include <linux/kstrtox.h>

int set(int first, int second);
int subject(const char *buf, const char *other);

int subject(const char *buf, const char *other)
{
	int value, first;

	if (kstrtoint(buf, 10, &value))
		return -1;
	first = value;
	if (kstrtoint(other, 10, &value))
		return -1;
	return set(first, value);
}
