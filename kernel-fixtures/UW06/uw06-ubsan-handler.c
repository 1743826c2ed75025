// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a UBSAN handler that objtool does not list as safe
 * Rule: UW06
 * Known: the cores of ClangBuiltLinux #1246 and #1657, lib/strnlen_user.c and KVM
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/uaccess.h>

/* What the compiler calls by itself in a kernel with CONFIG_UBSAN */
extern void __ubsan_handle_add_overflow(void *data, void *left, void *right);
extern void __ubsan_handle_load_invalid_value(void *data, void *value);

long uw06_ubsan_handler(const unsigned long __user *from, unsigned long *to, long *used, void *data)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	if (*used == LONG_MAX)
		__ubsan_handle_add_overflow(data, used, to);	/* want: UW06 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

long uw06_ubsan_handler_clean(const unsigned long __user *from, unsigned long *to, long *used, void *data)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	if (*used == LONG_MAX)
		__ubsan_handle_load_invalid_value(data, used);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
