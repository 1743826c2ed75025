// SPDX-License-Identifier: GPL-2.0
/*
 * Title: as much is copied as snprintf() returns, which is the length of a text that may have been cut
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>

int uw05_cut_text(char __user *to, size_t size, const char *name)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%s\n", name), i;

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_put_user(text[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return length;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_text_clean(char __user *to, size_t size, const char *name)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%s\n", name), i;

	if (length >= sizeof(text) || length > size)
		return -ENAMETOOLONG;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_put_user(text[i], to + i, efault);
	user_write_access_end();
	return length;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_cut_text_own_clean(char __user *to, const char *name)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%s\n", name), i;

	if (!user_write_access_begin(to, length))
		return -EFAULT;
	for (i = 0; i < length && i < sizeof(text); i++)
		unsafe_put_user(text[i], to + i, efault);
	user_write_access_end();
	return length;
efault:
	user_write_access_end();
	return -EFAULT;
}
