// SPDX-License-Identifier: GPL-2.0
/*
 * Title: stores to a fresh allocation change places with others
 * Verdict: proven
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

	if (!made)
		return -ENOMEM;
	made->x = 1;
	made->y = 2;
	head->x = 3;
	made->next = NULL;
	head->next = made;
	return put_user(last->x, u);
}
