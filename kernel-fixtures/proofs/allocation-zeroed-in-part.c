// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the allocator zeroes all of the memory, and memset() left a part of it as it was
 * Verdict: not proven
 * Says: kernel memory
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point *points;
	int err = 0;

	points = kmalloc(3 * sizeof(*points), GFP_KERNEL);
	if (!points)
		return -ENOMEM;
	memset(points, 0, 2 * sizeof(*points));
	points[0].x = k->a;
	points[2].z = k->b;
	if (copy_to_user(u->pts, points, 3 * sizeof(*points)))
		err = -EFAULT;
	kfree(points);

	return err;
}
