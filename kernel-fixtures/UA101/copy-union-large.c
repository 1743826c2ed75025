// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a union of more than a cache line between stores
 * Row: copy_to_user() of a structure
 * Shape: A
 * Twin: copy-union
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct event {
	u32 type;
	union {
		u64 value;
		u8 data[72];
	} u;
	u32 id;
};

static int report_event(struct event *event, struct event __user *to)
{
	if (put_user(event->type, &to->type) ||	/* want: UA101 report call-between 2 to write */
	    copy_to_user(&to->u, &event->u, sizeof(event->u)) ||
	    put_user(event->id, &to->id))
		return -EFAULT;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return report_event((struct event *)k, (struct event __user *)u);
}
