// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

struct shadow {
	u8 registers[64];
	u8 last;
};

static ssize_t shadow_read(struct file *file, char __user *buf, size_t count, loff_t *ppos)
{
	struct shadow *s = file->private_data;
	size_t i;

	if (count > sizeof(s->registers))
		count = sizeof(s->registers);
	for (i = 0; i < count; i++)
		if (put_user(s->registers[i], buf + i))	/* says: use one copy_to_user() of s->registers */
			return -EFAULT;
	return count;
}

static ssize_t shadow_write(struct file *file, const char __user *buf, size_t count, loff_t *ppos)
{
	struct shadow *s = file->private_data;
	u8 new[sizeof(s->registers)];
	size_t i;
	u8 c;

	if (count > sizeof(new))
		return -EINVAL;
	for (i = 0; i < count; i++) {
		if (get_user(c, buf + i))	/* says: use one copy_from_user() into new */
			return -EFAULT;
		new[i] = c;
	}
	memcpy(s->registers, new, count);
	return count;
}

static ssize_t shadow_find(struct file *file, const char __user *buf, size_t count, loff_t *ppos)
{
	struct shadow *s = file->private_data;
	size_t i;

	for (i = 0; i < count; i++) {
		u8 c;

		if (get_user(c, buf + i))
			return -EFAULT;
		if (c == s->last)
			return i;
	}
	return count;
}

static const struct file_operations shadow_fops = {
	.owner = THIS_MODULE,
	.read = shadow_read,
	.write = shadow_write,
};

static const struct file_operations shadow_find_fops = {
	.owner = THIS_MODULE,
	.write = shadow_find,
};
