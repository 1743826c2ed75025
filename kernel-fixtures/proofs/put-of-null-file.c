// SPDX-License-Identifier: GPL-2.0
/*
 * Title: fput() reads the file, so NULL is not allowed
 * Verdict: not proven
 * Says: may differ: it returns, now call of fput
 */
#include <fixture/arguments.h>
#include <linux/file.h>
#include <linux/uaccess.h>

struct held {
	struct file *file;
};

int drop(struct held *h, struct uarg __user *u);

int drop(struct held *h, struct uarg __user *u)
{
	if (put_user(1, &u->a))
		return -EFAULT;
	if (h->file)
		fput(h->file);
	return 0;
}
