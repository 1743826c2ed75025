// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro of another name
 * Row: || chain, one base, all -EFAULT
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define unsafe_save_point(p, from, label) do {		\
	struct point __user *__p = p;			\
	unsafe_put_user((from)->x, &__p->x, label);	\
	unsafe_put_user((from)->y, &__p->y, label);	\
	unsafe_put_user((from)->z, &__p->z, label);	\
} while (0)

static int __store_point(struct point __user *p, const struct point *from)
{
	if (put_user(from->x, &p->x) ||	/* want: UA101 rewrite safe 3 p write */
	    put_user(from->y, &p->y) ||
	    put_user(from->z, &p->z))
		return -EFAULT;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return __store_point(&u->pos, &k->pos);
}
