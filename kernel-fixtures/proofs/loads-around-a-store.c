// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one is before a store that may be to the same place
 * Verdict: not proven
 */
#include <linux/minmax.h>

struct unit {
	int speed, last;
};
int subject(struct unit *u, struct unit *v, int value);

int subject(struct unit *u, struct unit *v, int value)
{
	u->last = value > 255 ? 255 : value;
	return v->speed;
}
