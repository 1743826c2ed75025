// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a masked begin for both directions is ended in the unused one
 * Rule: UW03
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw03_masked_without_flavour {
	unsigned long first;
	unsigned long second;
};

int uw03_masked_without_flavour(const struct uw03_masked_without_flavour __user *from,
				struct uw03_masked_without_flavour *to)
{
	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(to->first, &from->first, efault);
	unsafe_get_user(to->second, &from->second, efault);
	user_write_access_end();	/* want: UW03 */
	return 0;
efault:
	user_write_access_end();	/* want: UW03 */
	return -EFAULT;
}

int uw03_masked_without_flavour_loop(unsigned long __user *to, const unsigned long *from, int n)
{
	int i;

	to = masked_user_access_begin(to);
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_access_end();
	return 0;
efault:
	user_read_access_end();	/* want: UW03 */
	return -EFAULT;
}

static __always_inline int uw03_masked_without_flavour_get(const unsigned long __user *from,
							   unsigned long *to)
{
	unsafe_get_user(*to, from, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw03_masked_without_flavour_helper(const unsigned long __user *from, unsigned long *to)
{
	int ret;

	from = masked_user_access_begin(from);
	ret = uw03_masked_without_flavour_get(from, to);
	user_write_access_end();	/* want: UW03 */
	return ret;
}

int uw03_masked_without_flavour_clean(unsigned long __user *both, unsigned long *old)
{
	int ret;

	both = masked_user_access_begin(both);
	ret = uw03_masked_without_flavour_get(both, old);
	if (!ret)
		unsafe_put_user(*old + 1, both, efault);
	user_access_end();
	return ret;
efault:
	user_access_end();
	return -EFAULT;
}
