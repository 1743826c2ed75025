// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an element more than struct_size() or offsetof() counts, by its number and by the bound of a loop
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/overflow.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

struct uw05_struct_size {
	u32 count;
	u32 kinds[];
};

int uw05_struct_size(struct uw05_struct_size __user *to, u32 count, u32 last)
{
	if (!user_write_access_begin(to, struct_size(to, kinds, count)))
		return -EFAULT;
	unsafe_put_user(count, &to->count, efault);
	unsafe_put_user(last, &to->kinds[count], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_struct_size_loop(struct uw05_struct_size __user *to, const u32 *kinds, u32 count)
{
	u32 i;

	if (!user_write_access_begin(to, offsetof(struct uw05_struct_size, kinds[count])))
		return -EFAULT;
	for (i = 0; i <= count; i++)
		unsafe_put_user(kinds[i], &to->kinds[i], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_struct_size_clean(struct uw05_struct_size __user *to, const u32 *kinds, u32 count, u32 last)
{
	u32 i;

	if (!count || !user_write_access_begin(to, struct_size(to, kinds, count)))
		return -EFAULT;
	unsafe_put_user(count, &to->count, efault);
	for (i = 0; i < count - 1; i++)
		unsafe_put_user(kinds[i], &to->kinds[i], efault);
	unsafe_put_user(last, &to->kinds[count - 1], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_struct_size_sum_clean(u8 __user *to, const u32 *kinds, u32 count)
{
	u32 __user *at = (u32 __user *)(to + 8), __user *end = at + count;

	if (!user_write_access_begin(to, size_add(8, array_size(count, sizeof(u32)))))
		return -EFAULT;
	unsafe_put_user((u64)count, (u64 __user *)to, efault);
	while (at < end) {
		unsafe_put_user(*kinds, at, efault);
		kinds++;
		at++;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
