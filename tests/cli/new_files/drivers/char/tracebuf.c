// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

struct trace_record {
	__u64 when;
	__u32 kind;
	__u32 value;
};

struct trace_entry {
	u64 when;
	u32 kind;
	u32 value;
};

struct trace_buffer {
	struct trace_entry *entries;
	unsigned int head, tail, mask;
};

static ssize_t tracebuf_read(struct file *file, char __user *buf, size_t count, loff_t *ppos)
{
	struct trace_buffer *tb = file->private_data;
	struct trace_record __user *to = (struct trace_record __user *)buf;
	size_t done = 0;

	while (tb->tail != tb->head && count - done >= sizeof(*to)) {
		struct trace_entry *e = &tb->entries[tb->tail & tb->mask];

		if (put_user(e->when, &to->when))	/* says: use one copy_to_user() of a zeroed struct trace_record */
			return -EFAULT;
		if (put_user(e->kind, &to->kind))
			return -EFAULT;
		if (put_user(e->value, &to->value))
			return -EFAULT;
		tb->tail++;
		to++;
		done += sizeof(*to);
	}
	return done;
}

static const struct file_operations tracebuf_fops = {
	.owner = THIS_MODULE,
	.read = tracebuf_read,
};
