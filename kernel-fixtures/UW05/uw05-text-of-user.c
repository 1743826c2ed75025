// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the length of a text in user memory says how far accesses go, and another number how large the range is
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_text_of_user(char *to, const char __user *from, size_t size, long most)
{
	long length = strnlen_user(from, most), i;

	if (!user_read_access_begin(from, size))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_get_user(to[i], from + i, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_text_of_user_clean(char *to, const char __user *from, long most)
{
	long length = strnlen_user(from, most), i;

	if (!length || length > most)
		return -EFAULT;
	if (!user_read_access_begin(from, most))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_get_user(to[i], from + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_text_of_user_own_clean(char *to, const char __user *from)
{
	long length = strnlen_user(from, 16), i;

	if (!length || length > 16)
		return -EFAULT;
	if (!user_read_access_begin(from, length))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_get_user(to[i], from + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_text_of_user_constant_clean(char *to, const char __user *from)
{
	long length = strnlen_user(from, 15), i;

	if (!length || !user_read_access_begin(from, 16))
		return -EFAULT;
	for (i = 0; i < length; i++)
		unsafe_get_user(to[i], from + i, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
