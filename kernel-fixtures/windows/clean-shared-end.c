// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the good path falls through into the only end
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/uaccess.h>

int clean_shared_end(u32 __user *to, const u32 *from, unsigned int count)
{
	int ret = -EFAULT;
	unsigned int i;

	if (!user_write_access_begin(to, count * sizeof(*to)))
		return ret;
	for (i = 0; i < count; i++) {
		if (from[i] == U32_MAX) {
			ret = -ERANGE;
			goto out;
		}
		unsafe_put_user(from[i], to + i, out);
	}
	ret = 0;
out:
	user_write_access_end();
	return ret;
}
