// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same of a function that may keep the address
 * Verdict: not proven
 * Says: may differ
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

int find(const char *buf, int *value);
int set(int speed);
int subject(const char *buf);

int subject(const char *buf)
{
	int value;

	if (find(buf, &value))
		return -1;
	if (value > 255)
		value = 255;
	else if (value < 0)
		value = 0;
	return set(value);
}
