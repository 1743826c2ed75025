// SPDX-License-Identifier: GPL-2.0
/*
 * Title: all that is called between the loads is in the file
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
	k->a = current->cred->uid.val;	/* want: LD301 rewrite safe 2 current->cred - */
	count(k);
	k->b = current_fsgid().val;

	return put_user(k->a, &u->a);
}
