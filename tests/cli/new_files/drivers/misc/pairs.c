// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

struct pairs {
	u32 left, right;
	u64 sum;
};

#define PAIRS_PUT(s, p)						\
	do {							\
		if (put_user((s)->left, &(p)->left) ||		/* says: 3 accesses to p in the macro PAIRS_PUT; in a function */	\
		    put_user((s)->right, &(p)->right) ||	\
		    put_user((s)->sum, &(p)->sum))		\
			return -EFAULT;				\
	} while (0)

/* One of the two, never both */
#define PAIRS_GET(s, p, last)					\
	((last) ? get_user((s)->right, &(p)->right) :		\
		  get_user((s)->left, &(p)->left))

static long pairs_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct pairs s = { 0 };

	if (PAIRS_GET(&s, (struct pairs __user *)arg, cmd))
		return -EFAULT;
	PAIRS_PUT(&s, (struct pairs __user *)arg);
	return 0;
}

static const struct file_operations pairs_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = pairs_ioctl,
};
