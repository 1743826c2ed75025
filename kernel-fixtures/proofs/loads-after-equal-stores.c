// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is stored is computed otherwise, and may be where others read
 * Verdict: proven
 */
#include <linux/minmax.h>

struct unit {
	struct unit *parent;
	int speed, last;
};
void set(int speed);
int subject(struct unit *u, struct unit *v, int value);

int subject(struct unit *u, struct unit *v, int value)
{
	if (value > 255)
		u->speed = 255;
	else if (value < 0)
		u->speed = 0;
	else
		u->speed = value;
	set(v->last);
	return v->parent->speed;
}
