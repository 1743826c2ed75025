// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a window makes an inline function too long to be inlined, and it passes on a local
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

extern int visit(struct point *at);

static inline int read_both(struct uarg __user *u)
{
	struct point at = { .z = 1 };

	if (u) {
		if (get_user(at.x, &u->a) || get_user(at.y, &u->b))
			return -EFAULT;
		if (at.x > 1000 || at.y > 1000)
			return -EINVAL;
		at.z = 2;
	}
	return visit(&at);
}

int subject(struct karg *k, struct uarg __user *u)
{
	return read_both(u);
}
