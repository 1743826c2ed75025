// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a spinlock of the file as a scope
 * Verdict: proven
 */
#include <linux/cleanup.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(lock);

int act(int *from, int *to);
int subject(int *from, int *to);

int subject(int *from, int *to)
{
	int result;

	spin_lock(&lock);
	result = act(from, to);
	spin_unlock(&lock);

	if (result)
		act(to, from);
	return result;
}
