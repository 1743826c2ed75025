// SPDX-License-Identifier: GPL-2.0
/*
 * Title: faults must not sleep here; the guard stays around the window
 * Row: pagefault_disable() and atomic context
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b, c;

	pagefault_disable();
	if (__get_user(a, &u->a) ||	/* want: UA101 rewrite safe 3 u read */
	    __get_user(b, &u->b) ||
	    __get_user(c, &u->c)) {
		pagefault_enable();
		return -EFAULT;
	}
	pagefault_enable();

	k->total = a + b + c;
	return 0;
}
