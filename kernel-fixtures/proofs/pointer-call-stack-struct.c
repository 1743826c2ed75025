// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an indirect call takes a record with another member on the stack
 * Verdict: different
 * Says: call \*
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct bigv { u64 tag; u64 to; u64 x; };
struct ops { u32 (*get)(struct karg *k, struct bigv v); };

int subject(struct karg *k, struct uarg __user *u)
{
	struct ops *o = (struct ops *)k->l0;
	struct bigv v = { k->a, k->b, k->c };
	u32 b = k->b, a = o->get(k, v);

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
