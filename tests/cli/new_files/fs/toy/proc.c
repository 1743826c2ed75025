// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/proc_fs.h>
#include <linux/uaccess.h>

struct toy_counters {
	__u64 reads;
	__u64 writes;
	__u64 errors;
};

static u64 reads, writes, errors;

static ssize_t toy_proc_read(struct file *file, char __user *buf, size_t count, loff_t *ppos)
{
	struct toy_counters __user *to = (void __user *)buf;

	if (count < sizeof(*to))
		return -EINVAL;
	if (__put_user(reads, &to->reads))	/* says: use one copy_to_user() of a zeroed struct toy_counters */
		goto fault;
	if (__put_user(writes, &to->writes))
		goto fault;
	if (__put_user(errors, &to->errors))
		goto fault;
	return sizeof(*to);
fault:
	return -EFAULT;
}

static const struct proc_ops toy_proc_ops = {
	.proc_read = toy_proc_read,
};
