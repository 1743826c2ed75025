// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load goes before a store to an allocation that others lead to by then
 * Verdict: not proven
 * Unproven: it is wrong if last is head, which no run has
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

struct node {
	struct node *next;
	u32 x, y;
};

int add(struct node *head, struct node *last, u32 __user *u);

int add(struct node *head, struct node *last, u32 __user *u)
{
	struct node *made = kmalloc(sizeof(*made), GFP_KERNEL);
	u32 x;

	if (!made)
		return -ENOMEM;
	made->x = 0;
	head->next = made;
	made->x = 1;
	x = last->next->x;
	return put_user(x, u);
}
