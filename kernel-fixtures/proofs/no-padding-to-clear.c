// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure without padding has an initialiser
 * Verdict: proven
 */
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

struct record {
	u32 kind;
	u32 value;
	u64 time;
};

int subject(struct record __user *u, u32 value)
{
	struct record record;

	memset(&record, 0, sizeof(record));
	record.value = value;
	return copy_to_user(u, &record, sizeof(record)) ? -EFAULT : 0;
}
