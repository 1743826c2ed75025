// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memset() clears the kernel's copy while the window is open
 * Rule: UW06
 * Unseen: objects@i386 UW06: there it is an instruction
 */
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int uw06_memset_of_the_rest(const u8 __user *from, u8 *to, size_t size, size_t room)
{
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	while (size) {
		unsafe_get_user(*to, from, efault);
		to++;
		from++;
		size--;
		room--;
	}
	memset(to, 0, room);	/* want: UW06 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw06_memset_of_the_rest_clean(const u8 __user *from, u8 *to, size_t size, size_t room)
{
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	while (size) {
		unsafe_get_user(*to, from, efault);
		to++;
		from++;
		size--;
		room--;
	}
	user_read_access_end();
	memset(to, 0, room);
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
