// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro copies a string of a constant size, which is a call all the same
 * Rule: UW06
 */
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int uw06_string_copied(char __user *to, const char *name)
{
	char start[4];

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	strscpy(start, name, sizeof(start));	/* want[spatch, smatch, objtool, objects]: UW06 */
	unsafe_put_user(start[0], to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw06_string_copied_clean(char __user *to, const char *name)
{
	char start[4];

	strscpy(start, name, sizeof(start));
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(start[0], to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
