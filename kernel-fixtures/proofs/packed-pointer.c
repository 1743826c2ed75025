// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a packed record points to the local that the callee fills
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct want { u32 tag; u32 *to; } __packed;
void fill(struct want *w);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 n[4];
	struct want w = { k->a, n };
	fill(&w);
	if (put_user(n[0], &u->a) || put_user(n[1], &u->b))
		return -EFAULT;
	return 0;
}
