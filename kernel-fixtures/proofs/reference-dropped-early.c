// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a reference is dropped before the last use of the object
 * Verdict: not proven
 * Says: put_area
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct area {
	u32 first;
	u32 second;
};

extern struct area *find_area(struct karg *k);
extern void put_area(struct area *area);

int subject(struct karg *k, struct uarg __user *u)
{
	struct area *area = find_area(k);
	int err = 0;

	if (!area)
		return -ENOENT;
	if (put_user(area->first, &u->a) ||
	    put_user(area->second, &u->b))
		err = -EFAULT;
	put_area(area);
	return err;
}
