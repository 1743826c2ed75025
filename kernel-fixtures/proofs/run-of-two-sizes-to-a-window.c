// SPDX-License-Identifier: GPL-2.0
/*
 * Title: get_user() of members of two sizes becomes a window
 * Verdict: proven
 */
#include <linux/uaccess.h>

struct part {
	u32 sync;
	u64 start;
	u64 len;
};

int told(struct part *given);
int changed(struct part __user *from);

int changed(struct part __user *from)
{
	struct part given;
	int err;

	err = get_user(given.sync, &from->sync);
	err |= get_user(given.start, &from->start);
	err |= get_user(given.len, &from->len);
	if (err)
		return -EFAULT;

	return told(&given);
}
