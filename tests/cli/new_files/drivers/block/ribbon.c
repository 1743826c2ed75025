// SPDX-License-Identifier: GPL-2.0
#include <linux/blkdev.h>
#include <linux/module.h>
#include <linux/uaccess.h>

struct ribbon_info {
	int number;
	unsigned short device;
	unsigned long inode;
	int offset;
	int flags;
	unsigned long init[2];
	char name[64];
};

struct ribbon_status {
	u64 number, device, inode, offset, flags, init[2];
	char name[64];
};

int ribbon_get_status(struct gendisk *disk, struct ribbon_status *st);

static int ribbon_status_old(const struct ribbon_status *st, struct ribbon_info __user *arg)
{
	int err;

	err = put_user(st->number, &arg->number);	/* says: use one copy_to_user() of a zeroed struct ribbon_info */
	if (!err)
		err = put_user(st->device, &arg->device);
	if (!err)
		err = put_user(st->inode, &arg->inode);
	if (!err)
		err = put_user(st->offset, &arg->offset);
	if (!err)
		err = put_user(st->flags, &arg->flags);
	if (!err)
		err = put_user(st->init[0], &arg->init[0]);
	if (!err)
		err = put_user(st->init[1], &arg->init[1]);
	if (!err && copy_to_user(arg->name, st->name, sizeof(st->name)))
		err = -EFAULT;
	return err;
}

static int ribbon_ioctl(struct block_device *bdev, blk_mode_t mode, unsigned int cmd, unsigned long arg)
{
	struct ribbon_status st;
	int err = ribbon_get_status(bdev->bd_disk, &st);

	if (err)
		return err;
	return ribbon_status_old(&st, (struct ribbon_info __user *)arg);
}

static const struct block_device_operations ribbon_fops = {
	.owner = THIS_MODULE,
	.ioctl = ribbon_ioctl,
};
