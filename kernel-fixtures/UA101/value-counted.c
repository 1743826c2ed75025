// SPDX-License-Identifier: GPL-2.0
/*
 * Title: values from an array of counted length, whose index is checked: read before the window
 * Row: calls in values
 * Shape: A
 * Twin: value-flexible
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct track {
	unsigned int count;
	struct point at[] __counted_by(count);
};

int subject(struct karg *k, struct uarg __user *u)
{
	struct track *track = (struct track *)k->words;
	unsigned int i = k->index;

	if (put_user(track->at[i].x, &u->pos.x) ||	/* want: UA101 rewrite prepared 3 u write */
	    put_user(track->at[i].y, &u->pos.y) ||
	    put_user(track->at[i].z, &u->pos.z))
		return -EFAULT;

	return 0;
}
