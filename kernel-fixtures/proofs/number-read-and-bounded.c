// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local that a number was read into is bounded in a register
 * Verdict: proven
 */
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>

struct unit {
	struct unit *parent;
	int speed, last;
};
int set(struct unit *parent, int speed, int last);
int subject(struct unit *u, const char *buf);

int subject(struct unit *u, const char *buf)
{
	int value, ret, last = u->speed;

	ret = kstrtoint(buf, 10, &value);
	if (ret)
		return ret;
	if (value > 255)
		value = 255;
	else if (value < 0)
		value = 0;
	u->speed = value;
	ret = set(u->parent, u->speed, last);
	if (ret)
		u->speed = last;
	return ret;
}
