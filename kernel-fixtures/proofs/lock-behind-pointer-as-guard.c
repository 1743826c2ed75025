// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a guard keeps the pointer to the mutex, which was read again
 * Verdict: not proven
 * Says: mutex_unlock
 */
#include <fixture/arguments.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

struct gate {
	u32 n;
	struct mutex *lock;
};

extern int wait(struct karg *k);
int enter(struct gate *g, struct karg *k, u32 __user *u);

int enter(struct gate *g, struct karg *k, u32 __user *u)
{
	int err = put_user(1, u);

	mutex_lock(g->lock);
	wait(k);
	g->n++;
	mutex_unlock(g->lock);

	return err;
}
