// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a statement expression returns from between begin and end
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw02_returns_in_expression {
	int id;
	int flags;
};

int uw02_returns_in_expression(struct uw02_returns_in_expression __user *to, int id)
{
	int twice;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	twice = ({
		if (id > 10)
			return -ERANGE;	/* want: UW02 */
		id * 2;
	});
	unsafe_put_user(twice, &to->id, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw02_returns_in_expression_clean(struct uw02_returns_in_expression __user *to, int id)
{
	int twice = ({
		if (id > 10)
			return -ERANGE;
		id * 2;
	});

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(twice, &to->id, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
