// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy to a local buffer, or to an allocated one that is freed
 * Verdict: not proven
 * Unproven: after a fault, kfree() is taken to read what it frees
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	char local[16];
	char *buf = local;
	int err = 0;

	if (k->count > sizeof(local)) {
		buf = kmalloc(k->count, GFP_KERNEL);
		if (!buf)
			return -ENOMEM;
	}
	if (copy_from_user(buf, u, 12))
		err = -EFAULT;
	else
		k->total = *(u32 *)buf + *(u32 *)(buf + 4) + *(u32 *)(buf + 8);
	if (buf != local)
		kfree(buf);

	return err;
}
