// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#define GAPS 8

/* One copy of all elements would also write those that a loop leaves out. */
struct gaps {
	u32 present;
	u32 levels[GAPS];
};

static int gaps_read(struct gaps *g, u32 __user *to)
{
	int i;

	for (i = 0; i < GAPS; i++) {
		if (!(g->present & BIT(i)))
			continue;
		if (put_user(g->levels[i], to + i))
			return -EFAULT;
	}
	return 0;
}

static int gaps_even(struct gaps *g, u32 __user *to)
{
	int i;

	for (i = 0; i < GAPS; i += 2)
		if (put_user(g->levels[i], to + i))
			return -EFAULT;
	return 0;
}

static int gaps_set(struct gaps *g, u32 __user *from)
{
	int i;

	for (i = 0; i < GAPS; i++) {
		if (get_user(g->levels[i], from + i))
			return -EFAULT;
		if (!g->levels[i])
			break;
	}
	return i;
}

static int gaps_mirror(struct gaps *g, u32 __user *to)
{
	int i, end;

	for (i = 0, end = GAPS - 1; i < end; i++, end--)
		if (put_user(g->levels[end], to + end))
			return -EFAULT;
	return 0;
}

static int gaps_next(struct gaps *g, u32 __user *to)
{
	int i;

	for (i = 0; i < GAPS; i++) {
		if (g->present == i)
			i++;
		if (put_user(g->levels[i], to + i))
			return -EFAULT;
	}
	return 0;
}

static int gaps_copy(struct gaps *g, u32 __user *to)
{
	int i;

	for (i = 0; i < GAPS; i++)
		if ((g->present & BIT(i)) && copy_to_user(to + i, &g->levels[i], sizeof(u32)))	/* says: use put_user() */
			return -EFAULT;
	return 0;
}

static int gaps_until_fault(struct gaps *g, u32 __user *to)
{
	int i, err = 0;

	for (i = 0; i < GAPS && !err; i++)
		err = put_user(g->levels[i], to + i);	/* says: use one copy_to_user() of g->levels */
	return err;
}

static int gaps_chosen(struct gaps *g, u32 __user *to, u32 __user *other)
{
	int i, err = 0;

	for (i = 0; i < GAPS; i++)
		err |= g->present & BIT(i) ? put_user(g->levels[i], to + i) : 0;
	return err;
}

struct gaps_limits {
	u32 low, high;
	u64 since;
};

/* Older programs have no last member. */
static int gaps_limit(struct gaps *g, struct gaps_limits __user *u, bool old)
{
	u32 low, high;
	u64 since = 0;

	if (get_user(low, &u->low) || get_user(high, &u->high))
		return -EFAULT;
	if (!old && get_user(since, &u->since))
		return -EFAULT;
	return high - low + since;
}

static int gaps_checked(struct gaps *g, struct gaps_limits __user *u)
{
	struct gaps_limits new;

	if (!access_ok(u, sizeof(*u)) ||
	    __get_user(new.low, &u->low) ||	/* says: use one copy_from_user() into new */
	    __get_user(new.high, &u->high) ||
	    __get_user(new.since, &u->since))
		return -EFAULT;
	return new.high - new.low + new.since;
}

static long gaps_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct gaps *g = file->private_data;
	u32 __user *user = (u32 __user *)arg;

	switch (cmd) {
	case 1:
		return gaps_read(g, user);
	case 2:
		return gaps_even(g, user);
	case 3:
		return gaps_set(g, user);
	case 4:
		return gaps_mirror(g, user);
	case 5:
		return gaps_next(g, user);
	case 7:
		return gaps_chosen(g, user, user);
	case 8:
	case 9:
		if (cmd == 9 && g->present)
			return gaps_checked(g, (void __user *)user);
		return gaps_limit(g, (void __user *)user, cmd == 8);
	case 6:
		return gaps_copy(g, user);
	}
	return gaps_until_fault(g, user);
}

static const struct file_operations gaps_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = gaps_ioctl,
};
