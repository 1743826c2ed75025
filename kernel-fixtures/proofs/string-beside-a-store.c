// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member is set before strscpy() writes another one
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/string.h>
#include <linux/uaccess.h>

struct info {
	u32 a;
	u8 name[12];
	u64 b;
	u64 reserved[2];
};

int subject(struct karg *k, struct uarg __user *u)
{
	struct info info;

	memset(&info, 0, sizeof(info));
	info.a = k->a;
	strscpy(info.name, (char *)k->words, sizeof(info.name));
	info.b = k->b;
	if (copy_to_user(u->words, &info, sizeof(info)))
		return -EFAULT;

	return 0;
}
