// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the callers give constants
 * Row: runtime size, sizes known from callers
 */
#include <fixture/arguments.h>
#include <linux/ioctl.h>
#include <linux/uaccess.h>

static int case_store(struct karg *k, void __user *to, unsigned int size)
{
	u64 words[2] = { k->q0, k->q1 };

	audit(k);
	if (copy_to_user(to, words, size))	/* want: UA203 rewrite prepared 1 to write */
		return -EFAULT;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag)
		return case_store(k, &u->pos, sizeof(u64) * 2);
	return case_store(k, &u->q0, sizeof(u64));
}
