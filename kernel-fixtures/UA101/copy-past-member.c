// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy that is longer than the member it begins at
 * Row: copy_to_user() of a structure
 * Shape: A
 * Twin: copy-union
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct event {
	u32 type;
	u8 head[4];
	u8 rest[8];
	u32 id;
};

static int report_event(struct event *event, struct event __user *to)
{
	if (put_user(event->type, &to->type) ||	/* want: UA101 report call-between 2 to write */
	    copy_to_user(&to->head, &event->head, sizeof(event->rest)) ||
	    put_user(event->id, &to->id))
		return -EFAULT;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return report_event((struct event *)k, (struct event __user *)u);
}
