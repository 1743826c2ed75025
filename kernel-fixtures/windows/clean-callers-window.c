// SPDX-License-Identifier: GPL-2.0
/*
 * Title: helpers that run in the window of their caller
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct clean_callers_window {
	u32 regs[16];
	u32 state;
};

static __always_inline int clean_callers_window_put(struct clean_callers_window __user *to, const u32 *regs)
{
	int i;

	for (i = 0; i < 16; i++)
		unsafe_put_user(regs[i], &to->regs[i], efault);
	return 0;
efault:
	return -EFAULT;
}

int clean_callers_window_clean(struct clean_callers_window __user *to, const u32 *regs)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	if (clean_callers_window_put(to, regs))
		goto efault;
	unsafe_put_user(1U, &to->state, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
