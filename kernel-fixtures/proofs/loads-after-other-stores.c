// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same with another limit
 * Verdict: different
 */
#include <linux/minmax.h>

struct unit {
	struct unit *parent;
	int speed, last;
};
int subject(struct unit *u, struct unit *v, int value);

int subject(struct unit *u, struct unit *v, int value)
{
	if (value > 255)
		u->speed = 255;
	else if (value < 0)
		u->speed = 0;
	else
		u->speed = value;
	if (v->speed > 254)
		return 2;
	return v->parent->speed;
}
