// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the guard begins after the write
 * Verdict: not proven
 * Says: mutex_lock
 */
#include <fixture/arguments.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

struct gate {
	struct mutex lock;
	u32 n;
};

int enter(struct gate *g, u32 __user *u);

int enter(struct gate *g, u32 __user *u)
{
	int err = put_user(1, u);

	mutex_lock(&g->lock);
	if (err)
		g->n++;
	mutex_unlock(&g->lock);

	return err;
}
