// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store beside a wait queue, before the queue is initialised
 * Verdict: not proven
 * Says: may differ: .*memory
 * Unproven: the call might look at what is beside the queue, which it does not
 */
#include <fixture/arguments.h>
#include <linux/wait.h>

struct waiting {
	int stopped;
	wait_queue_head_t queue;
};

void changed(struct waiting *w)
{
	init_waitqueue_head(&w->queue);
	w->stopped = 0;
}
