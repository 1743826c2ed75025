// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a size that is checked is loaded after equal stores
 * Verdict: proven
 */
#include <linux/minmax.h>
#include <linux/uaccess.h>

struct unit {
	unsigned long speed;
	long last;
};
long subject(void __user *to, struct unit *u, struct unit *v, long value);

long subject(void __user *to, struct unit *u, struct unit *v, long value)
{
	if (value > 255)
		u->last = 255;
	else if (value < 0)
		u->last = 0;
	else
		u->last = value;
	if (!access_ok(to, v->speed))
		return -14;
	return value == 77 ? 1 : 2;
}
