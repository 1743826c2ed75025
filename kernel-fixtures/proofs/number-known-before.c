// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local that others know is not set
 * Verdict: not proven
 */
#include <linux/kernel.h>
#include <linux/kstrtox.h>

void show(int *value);
int use(void);
int subject(const char *buf);

int subject(const char *buf)
{
	int value;

	show(&value);
	if (kstrtoint(buf, 10, &value))
		return -1;
	value = 0;
	return use();
}
