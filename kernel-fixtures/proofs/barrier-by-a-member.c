// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same value without a variable
 * Verdict: proven
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

	virtio_rmb(weak);
	return *queue->q;
}
