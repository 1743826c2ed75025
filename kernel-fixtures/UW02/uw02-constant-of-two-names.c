// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the condition that ends the window has another constant than the one that opened it
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define UW02_CONSTANT_OF_TWO_NAMES_LOAD		1
#define UW02_CONSTANT_OF_TWO_NAMES_STORE	2
#define UW02_CONSTANT_OF_TWO_NAMES_FETCH	UW02_CONSTANT_OF_TWO_NAMES_LOAD

int uw02_constant_of_two_names(u32 __user *at, u32 *value, int mode)
{
	int ret = -EFAULT;

	if (mode == UW02_CONSTANT_OF_TWO_NAMES_LOAD && !user_read_access_begin(at, sizeof(*at)))
		return ret;
	if (mode == UW02_CONSTANT_OF_TWO_NAMES_FETCH)
		unsafe_get_user(*value, at, out);
	ret = 0;
out:
	if (mode == UW02_CONSTANT_OF_TWO_NAMES_STORE)
		user_read_access_end();	/* want[spatch, smatch, objects]: UW02 */
	return ret;	/* want: UW02 */
}

int uw02_constant_of_two_names_clean(u32 __user *at, u32 *value, int mode)
{
	int ret = -EFAULT;

	if (mode == UW02_CONSTANT_OF_TWO_NAMES_LOAD && !user_read_access_begin(at, sizeof(*at)))
		return ret;
	if (mode == UW02_CONSTANT_OF_TWO_NAMES_FETCH)
		unsafe_get_user(*value, at, out);
	ret = 0;
out:
	if (mode == UW02_CONSTANT_OF_TWO_NAMES_FETCH)
		user_read_access_end();
	return ret;
}
