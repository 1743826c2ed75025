// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what was loaded is freed on the fault path, unread
 * Row: destination read on the fault path
 * Shape: D
 * Unproven: on a fault the memory that is freed has other contents, which nobody reads
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point *new = kmalloc(sizeof(*new), GFP_KERNEL);
	int err = -ENOMEM;

	if (!new)
		goto out;
	err = -EFAULT;
	if (get_user(new->x, &u->pos.x))	/* want: UA101 rewrite prepared 3 u read */
		goto out_free;
	if (get_user(new->y, &u->pos.y))
		goto out_free;
	if (get_user(new->z, &u->pos.z))
		goto out_free;
	k->pos = *new;
	err = 0;
out_free:
	kfree(new);
out:
	return err;
}
