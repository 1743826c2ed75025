// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two layouts, chosen by who calls; the choice stays outside both windows
 * Row: base computed by compat_ptr() or a cast
 * Shape: J
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct moment __user *m = &u->when;
	struct point __user *p = &u->pos;

	if (in_compat_syscall()) {
		if (put_user(k->when.sec, &m->sec) ||	/* want: UA101 rewrite safe 2 m write */
		    put_user(k->when.nsec, &m->nsec))
			return -EFAULT;
	} else {
		if (put_user(k->pos.x, &p->x) ||	/* want: UA101 rewrite safe 3 p write */
		    put_user(k->pos.y, &p->y) ||
		    put_user(k->pos.z, &p->z))
			return -EFAULT;
	}

	return 0;
}
