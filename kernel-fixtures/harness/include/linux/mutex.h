/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_MUTEX_H
#define _LINUX_MUTEX_H

#include <linux/cleanup.h>

struct mutex {
	int held;
};

void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);

DEFINE_GUARD(mutex, struct mutex *, mutex_lock, mutex_unlock)

#endif
