// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an indirect call, unchanged
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct codec {
	u32 (*encode)(struct karg *k, u32 number);
	u32 (*decode)(struct karg *k, u32 number);
};

int subject(struct karg *k, struct uarg __user *u)
{
	const struct codec *codec = (const void *)k->l0;
	u32 b = codec->encode(k, k->b);

	if (put_user(k->a, &u->a) ||
	    put_user(b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
