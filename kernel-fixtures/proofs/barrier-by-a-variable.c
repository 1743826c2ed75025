// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable that says which barrier it is has another value
 * Verdict: not proven
 * Says: is not reached as before
 */
#include <linux/virtio_ring.h>

struct queue {
	int *p, *q;
	bool weak;
};
int subject(struct queue *queue);

int subject(struct queue *queue)
{
	bool weak = queue->weak;
	int a = *queue->p;

	virtio_rmb(weak);
	return a + *queue->q;
}
