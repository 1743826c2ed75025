// SPDX-License-Identifier: GPL-2.0
/* A write() of records, each read member by member through a const pointer. */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct queue_event {
	u32 type;
	u32 code;
	u32 value;
};

static int queue_event(struct queue_event *ev)
{
	return ev->type + ev->code + ev->value;
}

static ssize_t queue_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	const struct queue_event __user *u = (const void __user *)buf;
	struct queue_event ev;
	size_t i;

	for (i = 0; i < count / sizeof(ev); i++, u++) {
		if (get_user(ev.type, &u->type) ||	/* says: use one copy_from_user() into ev */
		    get_user(ev.code, &u->code) ||
		    get_user(ev.value, &u->value))
			return i ? i * sizeof(ev) : -EFAULT;
		queue_event(&ev);
	}
	return count;
}

static const struct file_operations queue_fops = {
	.write = queue_write,
};
