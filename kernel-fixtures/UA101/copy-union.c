// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a union without a name and an array of bytes are stored between members
 * Row: copy_to_user() of a structure
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct event {
	u32 type;
	union {
		u64 value;
		u8 data[64];
	} u;
	u32 id;
	char name[16];
	u32 pending;
};

static int report_event(struct event *event, struct event __user *to)
{
	if (put_user(event->type, &to->type) ||	/* want: UA101 rewrite manual 5 to write */
	    copy_to_user(&to->u, &event->u, sizeof(event->u)) ||
	    put_user(event->id, &to->id) ||
	    copy_to_user(&to->name, &event->name, sizeof(to->name)) ||
	    put_user(event->pending, &to->pending))
		return -EFAULT;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return report_event((struct event *)k, (struct event __user *)u);
}
