// SPDX-License-Identifier: GPL-2.0
/* Arrays of variable size whose scopes no jump to the end of the function enters */
#include <linux/uaccess.h>

int sizes(u32 __user *from, u32 *k, int n)
{
	u32 before[n];
	u32 a, b;

	before[0] = 1;
	if (get_user(a, from) || get_user(b, from + 1))
		return -EFAULT;
	if (a) {
		u32 inside[n];

		inside[0] = a;
		k[0] = inside[0];
	}

	u8 fixed[sizeof(n) + ARRAY_SIZE(before)];

	fixed[0] = before[0];
	k[1] = b + fixed[0];
	return 0;
}
