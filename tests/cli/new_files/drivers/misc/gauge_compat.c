// SPDX-License-Identifier: GPL-2.0
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/uaccess.h>

struct gauge_window32 {
	__u32 start;
	__u32 length;
	__u32 buffer;
	__u32 flags;
};

struct gauge_window {
	unsigned long start;
	unsigned long length;
	void __user *buffer;
	__u32 flags;
};

int gauge_set_window(struct gauge_window *w);

static int compat_gauge_window(struct gauge_window32 __user *arg)
{
	struct gauge_window w;
	compat_uptr_t buffer;
	int err;

	if (get_user(w.start, &arg->start) ||	/* says: use one copy_from_user() into a struct gauge_window32 */
	    get_user(w.length, &arg->length) ||
	    get_user(buffer, &arg->buffer) ||
	    get_user(w.flags, &arg->flags))
		return -EFAULT;
	w.buffer = compat_ptr(buffer);

	err = gauge_set_window(&w);
	if (err)
		return err;

	if (put_user(w.start, &arg->start) || put_user(w.length, &arg->length))	/* says: 2 put_user() to arg in compat_gauge_window(); use one user access window */
		return -EFAULT;
	return 0;
}

static long gauge_compat_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return compat_gauge_window(compat_ptr(arg));
}

const struct file_operations gauge_compat_fops = {
	.compat_ioctl = gauge_compat_ioctl,
};
