// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro takes from something else which barrier it is
 * Verdict: not proven
 * Says: is not reached as before
 */
#include <linux/virtio_ring.h>

struct u {
	bool weak;
	int a, b;
};
#define RMB(q) virtio_rmb((q)->weak)
int subject(struct u *u, struct u *v);

int subject(struct u *u, struct u *v)
{
	int a = u->a + v->a;
	bool w = u->weak ^ v->weak;

	RMB(u);
	return a + u->b + w;
}
