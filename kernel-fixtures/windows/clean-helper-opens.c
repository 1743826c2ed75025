// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper returns with the window open, and its value tells so
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int clean_helper_opens_open(unsigned long __user *at, bool wanted)
{
	if (!wanted)
		return -EPERM;
	if (!user_access_begin(at, sizeof(*at)))
		return -EFAULT;
	return 0;
}

static __always_inline void clean_helper_opens_close(void)
{
	user_access_end();
}

int clean_helper_opens(unsigned long __user *at, bool wanted, unsigned long add)
{
	unsigned long value;
	int ret;

	ret = clean_helper_opens_open(at, wanted);
	if (ret)
		return ret;
	unsafe_get_user(value, at, efault);
	unsafe_put_user(value + add, at, efault);
	clean_helper_opens_close();
	return 0;
efault:
	clean_helper_opens_close();
	return -EFAULT;
}

int clean_helper_opens_compared(unsigned long __user *at, bool wanted, unsigned long add)
{
	unsigned long value;

	if (clean_helper_opens_open(at, wanted) < 0)
		return -EFAULT;
	unsafe_get_user(value, at, efault);
	unsafe_put_user(value + add, at, efault);
	clean_helper_opens_close();
	return 0;
efault:
	clean_helper_opens_close();
	return -EFAULT;
}

/* The value is the pointer, and the window is open in any case. */
static __always_inline u32 __user *clean_helper_opens_masked(u32 __user *to)
{
	return masked_user_access_begin(to);
}

int clean_helper_opens_mask(u32 __user *to, u32 value)
{
	to = clean_helper_opens_masked(to);
	unsafe_put_user(value, to, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

static __always_inline bool clean_helper_opens_either(u32 __user **to)
{
	if (can_do_masked_user_access()) {
		*to = masked_user_access_begin(*to);
		return true;
	}
	return user_write_access_begin(*to, sizeof(**to));
}

int clean_helper_opens_whichever(u32 __user *to, u32 value)
{
	if (!clean_helper_opens_either(&to))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static __always_inline int clean_helper_opens_chosen(u32 __user *to)
{
	return user_write_access_begin(to, sizeof(*to)) ? 0 : -EFAULT;
}

int clean_helper_opens_in_condition(u32 __user *to, u32 value)
{
	int ret;

	if ((ret = clean_helper_opens_chosen(to)))
		return ret;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
