// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy that may sleep, and one that may not, change places
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/uaccess.h>

int subject(int *a, int *b, const int __user *u)
{
	int r, s;

	pagefault_disable();
	r = __copy_from_user_inatomic(a, u, 4);
	pagefault_enable();
	s = __copy_from_user(a, u, 4);
	return r ? r : s;
}
