// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

struct outlet {
	__u32 id;
	__u32 watts;
	__s64 since;
	__u64 reserved[2];
};

struct outlet_list {
	__u32 count;
	__u32 reserved;
	struct outlet outlets[];
};

struct outlet_limits {
	__u16 volts;
	__u16 flags;
	__u32 watts;
	__u32 steps[4];
};

struct outlet_event {
	__u64 when;
	__u32 id;
	__u16 length;
	char text[];
};

struct strip {
	struct mutex lock;
	struct outlet own[16];
	unsigned int n;
	u16 volts, flags;
	u32 watts, steps[4];
};

static int strip_list(struct strip *s, struct outlet_list __user *to)
{
	unsigned int i;

	for (i = 0; i < s->n; i++) {
		if (put_user(s->own[i].id, &to->outlets[i].id) ||	/* says: to to in strip_list(); use one copy_to_user() of a zeroed struct outlet */
		    put_user(s->own[i].watts, &to->outlets[i].watts) ||
		    put_user(s->own[i].since, &to->outlets[i].since))
			return -EFAULT;
	}
	return put_user(i, &to->count);
}

static int strip_limits(struct strip *s, struct outlet_limits __user *to)
{
	int i, ret = -EFAULT;

	mutex_lock(&s->lock);
	if (put_user(s->volts, &to->volts))	/* says: use one copy_to_user() of a zeroed struct outlet_limits */
		goto unlock;
	if (put_user(s->flags, &to->flags))
		goto unlock;
	if (put_user(s->watts, &to->watts))
		goto unlock;
	for (i = 0; i < 4; i++)
		if (put_user(s->steps[i], &to->steps[i]))
			goto unlock;
	ret = 0;
unlock:
	mutex_unlock(&s->lock);
	return ret;
}

static int strip_event(struct strip *s, struct outlet_event __user *to, u64 when, u32 id)
{
	if (put_user(when, &to->when) ||	/* says: to to in strip_event(); use one user access window */
	    put_user(id, &to->id) ||
	    put_user(2, &to->length))
		return -EFAULT;
	return copy_to_user(to->text, "on", 2) ? -EFAULT : 0;
}

static long strip_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct strip *s = file->private_data;

	if (cmd == 1)
		return strip_list(s, (struct outlet_list __user *)arg);
	if (cmd == 2)
		return strip_limits(s, (struct outlet_limits __user *)arg);
	return strip_event(s, (struct outlet_event __user *)arg, 1, 2);
}

static const struct file_operations strip_fops = {
	.unlocked_ioctl = strip_ioctl,
};
