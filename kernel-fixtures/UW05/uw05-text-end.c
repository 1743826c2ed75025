// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the end of a text is stored, and the range is for its characters
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int uw05_text_end(char __user *to, const char *text)
{
	size_t length = strlen(text), i = 0;

	if (!user_write_access_begin(to, length))
		return -EFAULT;
	do {
		unsafe_put_user(text[i], to + i, efault);	/* want: UW05 */
	} while (text[i++]);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_text_end_clean(char __user *to, const char *text)
{
	size_t length = strlen(text) + 1, i = 0;

	if (!user_write_access_begin(to, length))
		return -EFAULT;
	do {
		unsafe_put_user(text[i], to + i, efault);
	} while (text[i++]);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_text_end_characters_clean(char __user *to, const char *text)
{
	size_t length = strlen(text);

	if (!user_write_access_begin(to, length))
		return -EFAULT;
	while (*text) {
		unsafe_put_user(*text, to, efault);
		text++;
		to++;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_text_end_first_clean(char __user *to, const char *text)
{
	size_t length = strlen(text);

	if (!length)
		return -EINVAL;
	if (!user_write_access_begin(to, length))
		return -EFAULT;
	unsafe_put_user(text[0], to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
