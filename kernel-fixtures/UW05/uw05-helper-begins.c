// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper opens the window for the size that it is given, which is too small
 * Rule: UW05, UW22
 */
#include <linux/errno.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

struct uw05_helper_begins_to {
	u32 __user *words;
	u32 count;
};

struct uw05_helper_begins {
	u32 low;
	u32 high;
};

static __always_inline bool uw05_helper_begins_open(void __user *to, size_t size)
{
	return access_ok(to, size) && user_write_access_begin(to, size);
}

int uw05_helper_begins(struct uw05_helper_begins __user *to, u32 value)
{
	if (!uw05_helper_begins_open(to, sizeof(to->low)))
		return -EFAULT;
	unsafe_put_user(value, &to->high, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static __always_inline bool uw05_helper_begins_all(u32 __user *to, u32 n)
{
	return user_write_access_begin(to, array_size(n, sizeof(*to)));
}

int uw05_helper_begins_array(u32 __user *to, const u32 *from, u32 n)
{
	u32 i;

	if (!uw05_helper_begins_all(to, n))
		return -EFAULT;
	for (i = 0; i <= n; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_helper_begins_clean(struct uw05_helper_begins __user *to, u32 value)
{
	if (!uw05_helper_begins_open(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to->high, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_helper_begins_array_clean(u32 __user *to, const u32 *from, u32 n)
{
	u32 i;

	if (!uw05_helper_begins_all(to, n))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static __always_inline int uw05_helper_begins_checked(struct uw05_helper_begins_to *to, u32 count)
{
	size_t size = count * sizeof(*to->words);

	if (count > 64)
		return -E2BIG;
	to->count = count;
	if (!user_write_access_begin(to->words, size))
		return -EFAULT;
	return 0;
}

int uw05_helper_begins_and_checks(struct uw05_helper_begins_to *to, u32 count)
{
	u32 i;
	int err = uw05_helper_begins_checked(to, count);

	if (err)
		return err;
	for (i = 0; i <= count; i++)
		unsafe_put_user(i, to->words + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_helper_begins_and_checks_clean(struct uw05_helper_begins_to *to, u32 count)
{
	u32 i;
	int err = uw05_helper_begins_checked(to, count);

	if (err)
		return err;
	for (i = 0; i < to->count; i++)
		unsafe_put_user(i, to->words + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static __always_inline bool uw05_helper_begins_skip(u32 __user **to, u32 words)
{
	*to += words;
	return user_write_access_begin(*to, sizeof(**to));
}

int uw05_helper_begins_and_moves(u32 __user *to, u32 value)
{
	u32 __user *first = to;

	if (!uw05_helper_begins_skip(&to, 3))
		return -EFAULT;
	unsafe_put_user(value, first, efault);	/* want: UW05, UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_helper_begins_and_moves_clean(u32 __user *to, u32 value)
{
	if (!uw05_helper_begins_skip(&to, 3))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
