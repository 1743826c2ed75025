// SPDX-License-Identifier: GPL-2.0
/*
 * Title: string functions of a few bytes, which the compiler expands
 */
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/uaccess.h>

struct clean_small_copies_pair {
	u32 low;
	u32 high;
};

int clean_small_copies_locals(u32 __user *to, u64 value)
{
	struct clean_small_copies_pair pair;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	memcpy(&pair, &value, sizeof(pair));
	unsafe_put_user(pair.low ^ pair.high, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int clean_small_copies_members(u32 __user *from, struct clean_small_copies_pair *to, const u8 *bytes)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	memset(to, 0, sizeof(*to));
	memcpy(&to->high, bytes, sizeof(to->high));
	unsafe_get_user(to->low, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
