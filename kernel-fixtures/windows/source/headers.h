/* SPDX-License-Identifier: GPL-2.0 */
struct in_header {
	u32 __user *to;
	u32 count;
};

static __always_inline int in_header_open(struct in_header *one)
{
	if (!one->to)
		return -EINVAL;
	if (!user_write_access_begin(one->to, 4 * sizeof(*one->to)))
		return -EFAULT;
	return 0;
}

static __always_inline bool in_header_open_many(struct in_header *one, u32 count)
{
	one->count = count;
	if (!count)
		return false;
	return user_write_access_begin(one->to, count * sizeof(*one->to));
}

static __always_inline void in_header_close(struct in_header *one)
{
	one->count = 0;
	user_write_access_end();
}

static __always_inline void in_header_close_some(struct in_header *one)
{
	if (one->count)
		user_write_access_end();
}
