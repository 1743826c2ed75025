// SPDX-License-Identifier: GPL-2.0
/* Clean: the cleanup of a variable ends the window */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

struct cleanups { int a; int b; };

static __always_inline void cleanups_end(bool *open)
{
	if (*open)
		user_write_access_end();
}

int cleanups_variable(int value, struct cleanups __user *u)
{
	bool open __cleanup(cleanups_end) = user_write_access_begin(u, sizeof(*u));	/* not followed */

	if (!open)
		return -EFAULT;
	unsafe_put_user(value, &u->a, efault);
	unsafe_put_user(value, &u->b, efault);
	return 0;
efault:
	return -EFAULT;
}

DEFINE_CLASS(cleanups_window, bool, if (_T) user_write_access_end(),
	     user_write_access_begin(u, sizeof(*u)), struct cleanups __user *u)

int cleanups_none(int value)
{
	return value;
}

int cleanups_class(int value, struct cleanups __user *u)
{
	CLASS(cleanups_window, open)(u);	/* not followed */

	if (!open)
		return -EFAULT;
	unsafe_put_user(value, &u->a, efault);
	unsafe_put_user(value, &u->b, efault);
	return 0;
efault:
	return -EFAULT;
}
