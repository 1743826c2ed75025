// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the mutex behind a pointer is not released
 * Verdict: different
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
