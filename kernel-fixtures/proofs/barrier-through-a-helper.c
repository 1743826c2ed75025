// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the function that says which barrier it is is called with another value
 * Verdict: not proven
 * Says: is not reached as before
 */
#include <linux/virtio_ring.h>

int subject(int *p, int *q);

static void ordered(bool weak)
{
	virtio_rmb(weak);
}

int subject(int *p, int *q)
{
	int a = *p;

	ordered(false);
	return a + *q;
}
