// SPDX-License-Identifier: GPL-2.0
/* Functions of a header that open or end a window and do more. */
#include <linux/errno.h>
#include <linux/uaccess.h>

#include "headers.h"

int headers_open(struct in_header *one, u32 value)
{
	int ret = in_header_open(one);

	if (ret)
		return ret;
	unsafe_put_user(value, one->to, efault);
	in_header_close(one);
	return 0;
efault:
	return -EFAULT; /* want: UW02 */
}

int headers_open_clean(struct in_header *one, u32 value)
{
	int ret = in_header_open(one);

	if (ret)
		return ret;
	unsafe_put_user(value, one->to, efault);
	in_header_close(one);
	return 0;
efault:
	in_header_close(one);
	return -EFAULT;
}

int headers_closed_twice(struct in_header *one, u32 value)
{
	if (!in_header_open_many(one, 4))
		return -EFAULT;
	unsafe_put_user(value, one->to, efault);
	in_header_close(one);
efault:
	in_header_close(one); /* want: UW02 */
	return 0;
}

int headers_read(struct in_header *one, u32 *value)
{
	if (!in_header_open_many(one, 4))
		return -EFAULT;
	unsafe_get_user(*value, one->to, efault); /* want: UW04 */
	in_header_close(one);
	return 0;
efault:
	in_header_close(one);
	return -EFAULT;
}

int headers_closed_on_some_paths(struct in_header *one, u32 value)
{
	if (!in_header_open_many(one, 4))
		return -EFAULT;
	unsafe_put_user(value, one->to, efault);
efault:
	in_header_close_some(one); /* not followed */
	return 0;
}
