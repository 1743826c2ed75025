// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#ifdef RELAY_WIDE
#define PUT(x, p)	put_user((u64)(x), p)
#else
#define PUT(x, p)	put_user(x, p)
#endif
#define TAKE(x, p)						\
	do {							\
		if (get_user(x, p))				\
			return -EFAULT;				\
	} while (0)

#define READ_WORD(regs, word, p)				\
	(user_mode(regs) ? get_user(word, p) : (word = *(__force u32 *)(p), 0))

struct relay_state {
	__u32 mode;
	__u32 level;
	__u64 since;
};

static struct relay_state state;

bool relay_has_mode(__u32 mode);

static int relay_get_state(struct relay_state __user *to)
{
	if (PUT(state.mode, &to->mode) ||	/* says: written out, they may share one user access window */
	    PUT(state.level, &to->level) ||
	    PUT(state.since, &to->since))
		return -EFAULT;
	return 0;
}

static int relay_set_state(struct relay_state __user *from)
{
	struct relay_state new;

	TAKE(new.mode, &from->mode);	/* says: 3 get_user() from from in relay_set_state(), by TAKE() of this file */
	TAKE(new.level, &from->level);
	TAKE(new.since, &from->since);
	state = new;
	return 0;
}

static int relay_check(struct relay_state __user *from)
{
	__u32 mode, level;

	TAKE(mode, &from->mode);
	if (!relay_has_mode(mode))
		return -EINVAL;
	TAKE(level, &from->level);
	return level == state.level;
}

static int relay_instruction(struct pt_regs *regs, u32 __user *from)
{
	u32 first, second;

	if (READ_WORD(regs, first, from))
		return -EFAULT;
	if (READ_WORD(regs, second, from + 1))
		return -EFAULT;
	return first + second;
}

static int relay_level(__u32 __user *to)
{
	if (!state.since)
		return PUT(0, to);
	return PUT(state.level, to);
}

static long relay_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 1:
		return relay_get_state((struct relay_state __user *)arg);
	case 2:
		return relay_set_state((struct relay_state __user *)arg);
	case 3:
		return PUT(state.mode, (__u32 __user *)arg);
	case 4:
		return PUT(state.level, (__u32 __user *)arg);
	}
	return relay_level((__u32 __user *)arg);
}

static const struct file_operations relay_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = relay_ioctl,
};
