// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call that makes the accesses, as in sstep.c
 * Row: a window around a call
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int fetched(u32 *to, u32 __user *from)
{
	unsafe_get_user(*to, from, efault);
	return 0;

efault:
	return -EFAULT;
}

static int fetch(struct karg *k, u32 __user *from)
{
	int err;

	if (user_read_access_begin(from, sizeof(*from))) {	/* want scoped: UA103 rewrite manual 0 from read */
		err = fetched(&k->a, from);
		user_read_access_end();
	} else {
		err = -EFAULT;
		k->c = 1;
	}

	return err;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return fetch(k, &u->a);
}
