// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

struct valve_pair {
	__u32 inlet;
	__u32 outlet;
};

static struct valve_pair valve;

static long valve_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *argp = (void __user *)arg;
	struct valve_pair pair;
	u32 value;

	switch (cmd) {
	case 1:
		if (copy_from_user(&value, argp, sizeof(value)))	/* says: use get_user() */
			return -EFAULT;
		valve.inlet = value;
		return 0;
	case 2:
		if (copy_from_user(&pair, argp, sizeof(pair)))
			return -EFAULT;
		valve = pair;
		return 0;
	case 3:
		value = valve.inlet;
		return copy_to_user(argp, &value, sizeof(value)) ? -EFAULT : 0;	/* says: use put_user() */
	}
	return -ENOTTY;
}

static const struct file_operations valve_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = valve_ioctl,
};
