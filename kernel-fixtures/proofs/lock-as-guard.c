// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a guard takes the mutex and releases it
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

extern struct mutex door;
extern int wait(struct karg *k);

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	if (put_user(1, &u->a))
		return -EFAULT;
	mutex_lock(&door);
	err = wait(k);
	if (err) {
		mutex_unlock(&door);
		return err;
	}
	k->a++;
	mutex_unlock(&door);

	return 0;
}
