// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that is indented by blanks and begins with a label
 * Row: the place of the first use
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
again:
    k->b = from_kuid(current_user_ns(), (kuid_t){ k->b });	/* want: LD301 rewrite prepared 2 current->cred - */
    k->c = from_kgid(current_user_ns(), (kgid_t){ k->c });
    if (k->a++ < k->count)
        goto again;

    return put_user(k->a, &u->a);
}
