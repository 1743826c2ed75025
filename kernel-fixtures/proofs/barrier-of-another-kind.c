// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an argument says which barrier it is
 * Verdict: not proven
 * Says: is not reached as before
 */
#include <linux/virtio_ring.h>

int subject(int *p, int *q);

int subject(int *p, int *q)
{
	int a = *p;

	virtio_rmb(false);
	return a + *q;
}
