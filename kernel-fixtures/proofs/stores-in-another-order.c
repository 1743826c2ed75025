// SPDX-License-Identifier: GPL-2.0
/*
 * Title: of two places that may be one, the other one is set last
 * Verdict: not proven
 */
struct unit {
	int speed, last;
};
int subject(struct unit *u, struct unit *v, struct unit *w, int value);

int subject(struct unit *u, struct unit *v, struct unit *w, int value)
{
	u->speed = value;
	v->speed = value + 1;
	return w->speed;
}
