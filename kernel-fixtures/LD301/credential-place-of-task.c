// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper computes where the task is, as get_current() of s390 does
 * Row: callees that can be named
 * Twin: credential-of-task
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

struct area {
	unsigned long flags;
	struct task_struct *current_task;
};

static inline unsigned long task_place(void)
{
	return offsetof(struct area, current_task);
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val + task_place() + current_gid().val;	/* want: LD301 report no-call-between 2 current->cred - */

	return put_user(k->a, &u->a);
}
