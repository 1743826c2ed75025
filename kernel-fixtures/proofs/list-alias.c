// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a list head on the stack is tested before an entry is unlinked
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/list.h>
#include <linux/uaccess.h>

void take(struct karg *k, struct list_head *h);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b = k->b;
	LIST_HEAD(h);
	struct list_head *e;
	take(k, &h);
	e = h.next;
	e->prev->next = e->next;
	a = h.next == &h;

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
