// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is beside the argument that says so changes
 * Verdict: proven
 */
#include <linux/virtio_ring.h>
#include <linux/virtio.h>

int subject(u16 *p, int *q, int value, bool weak);

int subject(u16 *p, int *q, int value, bool weak)
{
	u16 found = value + value;

	virtio_rmb(weak);
	virtio_store_mb(weak, p, found);
	return *q;
}
