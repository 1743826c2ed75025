// SPDX-License-Identifier: GPL-2.0
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/uaccess.h>

struct shelf_cqe {
	__u64 user_data;
	__s32 res;
	__u32 flags;
};

struct shelf_ring {
	struct shelf_cqe *cqes;
	unsigned int head, tail, mask;
};

static int shelf_copy_cqes(struct shelf_ring *ring, struct shelf_cqe __user *ucqe, unsigned int max)
{
	unsigned int nr = 0;

	while (nr < max && ring->head != ring->tail) {
		struct shelf_cqe *cqe = &ring->cqes[ring->head & ring->mask];

		if (unlikely(__put_user(cqe->user_data, &ucqe->user_data)))	/* says: use one copy_to_user() of *cqe */
			break;
		if (unlikely(__put_user(cqe->res, &ucqe->res)))
			break;
		if (unlikely(__put_user(cqe->flags, &ucqe->flags)))
			break;
		ring->head++;
		ucqe++;
		nr++;
	}
	return nr;
}

static ssize_t shelf_ring_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	if (!access_ok(buf, count))
		return -EFAULT;
	return shelf_copy_cqes(file->private_data, (struct shelf_cqe __user *)buf, count / sizeof(struct shelf_cqe));
}

static const struct file_operations shelf_ring_fops = {
	.read = shelf_ring_read,
};
