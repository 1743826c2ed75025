// SPDX-License-Identifier: GPL-2.0
/*
 * Title: access_ok() of a second pointer is asked, and its answer is not heeded
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_answer_ignored(u32 __user *used, u32 __user *event, u32 value)
{
	bool ok = access_ok(event, sizeof(*event));
	int ret = -EFAULT;

	if (!user_write_access_begin(used, sizeof(*used)))
		return ret;
	unsafe_put_user(value, used, out);
	unsafe_put_user(value, event, out);	/* want[clang-tidy]: UW05 */
	ret = ok ? 0 : -EINVAL;
out:
	user_write_access_end();
	return ret;
}

int uw05_answer_ignored_goes_on(u32 __user *used, u32 __user *event, u32 value)
{
	int ret = 0;

	if (!access_ok(event, sizeof(*event)))
		ret = -EFAULT;
	if (!user_write_access_begin(used, sizeof(*used)))
		return -EFAULT;
	unsafe_put_user(value, used, efault);
	unsafe_put_user(value, event, efault);	/* want[clang-tidy]: UW05 */
	user_write_access_end();
	return ret;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_answer_ignored_clean(u32 __user *used, u32 __user *event, u32 value)
{
	bool ok = access_ok(event, sizeof(*event));

	if (!ok || !user_write_access_begin(used, sizeof(*used)))
		return -EFAULT;
	unsafe_put_user(value, used, efault);
	unsafe_put_user(value, event, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The answers to both come together. */
int uw05_answer_ignored_both_clean(u32 __user *used, u32 __user *event, u32 value)
{
	int bad = 0;

	bad |= !access_ok(used, sizeof(*used));
	bad |= !access_ok(event, sizeof(*event));
	if (bad)
		return -EFAULT;
	if (!user_write_access_begin(used, sizeof(*used)))
		return -EFAULT;
	unsafe_put_user(value, used, efault);
	unsafe_put_user(value, event, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
