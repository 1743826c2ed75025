// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a lock is taken with another subclass
 * Verdict: different
 */
#include <linux/rwsem.h>
#include <linux/lockdep.h>

int subject(struct lockdep_map *map, int value);

int subject(struct lockdep_map *map, int value)
{
	lock_acquire(map, 0, 0, 2, 1, NULL, 7);
	return value;
}
