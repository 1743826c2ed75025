// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

static char line[64];
static unsigned int filled;

void command_run(const char *text);

static ssize_t command_write(struct file *file, const char __user *buf, size_t count, loff_t *ppos)
{
	size_t i;

	for (i = 0; i < count; i++) {
		char c;

		if (get_user(c, buf + i))
			return -EFAULT;
		if (c == '\n' || filled == sizeof(line) - 1) {
			line[filled] = 0;
			command_run(line);
			filled = 0;
			continue;
		}
		line[filled++] = c;
	}
	return count;
}

static const struct file_operations command_fops = {
	.owner = THIS_MODULE,
	.write = command_write,
};
