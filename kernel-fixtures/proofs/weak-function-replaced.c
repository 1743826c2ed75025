// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a new helper replaces the weak function of another file
 * Verdict: not proven
 * Says: arch_release_task_struct is now defined for other files
 */
#include <fixture/arguments.h>
#include <linux/sched/task.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return get_user(k->a, &u->a) ? -EFAULT : 0;
}
