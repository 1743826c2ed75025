// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is read is passed on by its address, and not bounded there
 * Verdict: different
 */
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>

int set(int *speed);
int subject(const char *buf);

int subject(const char *buf)
{
	int value;

	if (kstrtoint(buf, 10, &value))
		return -1;
	if (value > 255)
		value = 255;
	return set(&value);
}
