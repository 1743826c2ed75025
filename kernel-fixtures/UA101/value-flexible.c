// SPDX-License-Identifier: GPL-2.0
/*
 * Title: values from an array of unknown length, whose index no compiler checks
 * Row: calls in values
 * Shape: A
 * Twin: value-counted
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct track {
	unsigned int count;
	struct point at[];
};

int subject(struct karg *k, struct uarg __user *u)
{
	struct track *track = (struct track *)k->words;
	unsigned int i = k->index;

	if (put_user(track->at[i].x, &u->pos.x) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(track->at[i].y, &u->pos.y) ||
	    put_user(track->at[i].z, &u->pos.z))
		return -EFAULT;

	return 0;
}
