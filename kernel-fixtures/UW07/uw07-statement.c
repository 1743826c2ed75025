// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper that is only static inline, called in a window
 * Rule: UW07
 * Known: B13: lib/strnlen_user.c before 226d44acf6df
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw07_statement {
	u32 head;
	u32 tail;
};

static inline void uw07_statement_count(u32 *sum, u32 by)
{
	*sum += by;
}

static __always_inline void uw07_statement_count_always(u32 *sum, u32 by)
{
	*sum += by;
}

int uw07_statement(struct uw07_statement __user *from, u32 *sum)
{
	u32 value;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(value, &from->head, efault);
	uw07_statement_count(sum, value);	/* want: UW07 */
	unsafe_get_user(value, &from->tail, efault);
	user_read_access_end();
	uw07_statement_count(sum, value);
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw07_statement_clean(struct uw07_statement __user *from, u32 *sum)
{
	u32 value;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(value, &from->head, efault);
	uw07_statement_count_always(sum, value);
	unsafe_get_user(value, &from->tail, efault);
	user_read_access_end();
	uw07_statement_count(sum, value);
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
