// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an initializer between the loads calls what is not seen
 * Row: a call that is seen
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

static u32 counted;

static void count(struct karg *k)
{
	counted += k->b;
	asm volatile("" : : : "memory");
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current->cred->uid.val;	/* want: LD301 rewrite prepared 2 current->cred - */
	count(k);
	if (k->flag) {
		struct point p = { .x = next_serial(k) };

		k->c = p.x;
	}
	k->b = current_fsgid().val;

	return put_user(k->a, &u->a);
}
