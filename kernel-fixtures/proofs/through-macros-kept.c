// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same macros, used in other statements
 * Verdict: proven
 */
#include <linux/virtio_ring.h>
#include <linux/unaligned.h>

struct u {
	bool weak;
	u32 a, b;
};
#define ORDER(w) virtio_rmb(w)
#define WORD(u, member) \
	get_unaligned(&(u)->member)
#define TYPED(type, p) ((type)get_unaligned((type *)(p)))
int use(int a);
int subject(struct u *u, u32 *q);

int subject(struct u *u, u32 *q)
{
	int a = WORD(u, a);

	ORDER(u->weak);
	if (!a)
		return -1;
	a += TYPED(u32, q);
	return use(a + WORD(u, b));
}
