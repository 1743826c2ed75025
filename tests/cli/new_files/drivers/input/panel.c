// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#define PANEL_ABS	16

struct panel_id {
	__u16 bustype, vendor, product, version;
};

struct panel_setup {
	char name[80];
	struct panel_id id;
	__u32 ff_effects_max;
	__s32 absmax[PANEL_ABS];
	__s32 absmin[PANEL_ABS];
};

struct panel_device {
	char name[80];
	struct panel_id id;
	u32 ff_effects_max;
	s32 absmax[PANEL_ABS], absmin[PANEL_ABS];
};

static int panel_setup_device(struct panel_device *dev, const struct panel_setup __user *from)
{
	int i;

	if (get_user(dev->id.bustype, &from->id.bustype) ||	/* says: use one copy_from_user() into a struct panel_setup */
	    get_user(dev->id.vendor, &from->id.vendor) ||
	    get_user(dev->id.product, &from->id.product) ||
	    get_user(dev->id.version, &from->id.version))
		return -EFAULT;
	if (get_user(dev->ff_effects_max, &from->ff_effects_max))
		return -EFAULT;
	if (copy_from_user(dev->name, from->name, sizeof(dev->name)))
		return -EFAULT;
	for (i = 0; i < PANEL_ABS; i++) {
		if (get_user(dev->absmax[i], &from->absmax[i]) ||
		    get_user(dev->absmin[i], &from->absmin[i]))
			return -EFAULT;
	}
	return 0;
}

static ssize_t panel_uinput_write(struct file *file, const char __user *buffer, size_t count, loff_t *ppos)
{
	struct panel_device *dev = file->private_data;
	int err;

	if (count != sizeof(struct panel_setup))
		return -EINVAL;
	err = panel_setup_device(dev, (const struct panel_setup __user *)buffer);
	return err ?: count;
}

static const struct file_operations panel_uinput_fops = {
	.owner = THIS_MODULE,
	.write = panel_uinput_write,
};
