// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

struct span {
	__u32 start;
	__u32 length;
	__u32 flags;
};

static struct span spans[8];

static int spans_load(const struct span __user *u, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (get_user(spans[i].start, &u[i].start) ||	/* says: use one copy_from_user() into a struct span */
		    get_user(spans[i].length, &u[i].length) ||
		    get_user(spans[i].flags, &u[i].flags))
			return -EFAULT;
	}
	return 0;
}

static int spans_ends(const struct span __user *u, u32 *start, u32 *length, u32 *flags)
{
	if (get_user(*start, &u[0].start) ||	/* says: from u in spans_ends(); use one user access window */
	    get_user(*length, &u[1].length) ||
	    get_user(*flags, &u[2].flags))
		return -EFAULT;
	return 0;
}

/* Three numbers are no structure. */
static int spans_words(const u32 __user *u, u32 *start, u32 *length, u32 *flags)
{
	if (get_user(*start, u) ||	/* says: from u in spans_words(); use one user access window */
	    get_user(*length, u + 1) ||
	    get_user(*flags, u + 2))
		return -EFAULT;
	return 0;
}

static long spans_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	u32 start, length, flags;

	if (cmd == 1)
		return spans_load((const struct span __user *)arg, 8);
	if (cmd == 2)
		return spans_words((const u32 __user *)arg, &start, &length, &flags);
	return spans_ends((const struct span __user *)arg, &start, &length, &flags);
}

static const struct file_operations spans_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = spans_ioctl,
};
