// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a goto to a later cleanup label skips the end
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

int uw02_goto_skips_end(u32 __user *to, unsigned int count, gfp_t gfp)
{
	unsigned int i;
	int ret = -EFAULT;
	u32 *list;

	list = kcalloc(count, sizeof(*list), gfp);
	if (!list)
		return -ENOMEM;
	if (!user_write_access_begin(to, count * sizeof(*to)))
		goto free;
	for (i = 0; i < count; i++) {
		if (list[i] > count) {
			ret = -ERANGE;
			goto free;
		}
		unsafe_put_user(list[i], to + i, end);
	}
	ret = 0;
end:
	user_write_access_end();
free:
	kfree(list);	/* want: UW06 */
	return ret;	/* want[spatch, smatch, objects]: UW02 */
}

int uw02_goto_skips_end_clean(u32 __user *to, unsigned int count, gfp_t gfp)
{
	unsigned int i;
	int ret = -EFAULT;
	u32 *list;

	list = kcalloc(count, sizeof(*list), gfp);
	if (!list)
		return -ENOMEM;
	if (!user_write_access_begin(to, count * sizeof(*to)))
		goto free;
	for (i = 0; i < count; i++) {
		if (list[i] > count) {
			ret = -ERANGE;
			goto end;
		}
		unsafe_put_user(list[i], to + i, end);
	}
	ret = 0;
end:
	user_write_access_end();
free:
	kfree(list);
	return ret;
}
