// SPDX-License-Identifier: GPL-2.0
/*
 * Title: only handed on
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;

	k->h1 = mode;

	return put_user(mode, &u->h0);
}
