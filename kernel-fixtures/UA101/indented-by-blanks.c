// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that is indented by blanks
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
    if (k->flag) {
        if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
            put_user(k->b, &u->b) ||
            put_user(k->c, &u->c))
            return -EFAULT;
    }
    return 0;
}
