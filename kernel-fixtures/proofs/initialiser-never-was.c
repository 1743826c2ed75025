// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a struct is not cleared, before or after
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

struct info {
	u32 a;
	u8 name[12];
	u32 b;
	u64 reserved[2];
};

int subject(struct karg *k, struct uarg __user *u)
{
	struct info info;

	info.a = k->a;
	info.b = k->b;
	k->c = k->d;
	strscpy(info.name, "karg", sizeof(info.name));
	if (copy_to_user(u->words, &info, sizeof(info)))
		return -EFAULT;

	return 0;
}
