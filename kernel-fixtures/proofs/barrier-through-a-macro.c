// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the macro that says which barrier it is is called with another value
 * Verdict: not proven
 * Says: is not reached as before
 */
#include <linux/virtio_ring.h>

struct u {
	bool weak;
	int a, b;
};
int subject(struct u *u);
#define RMB(w) virtio_rmb(w)

int subject(struct u *u)
{
	int a = u->a;

	RMB(u->weak);
	return a + u->b;
}
