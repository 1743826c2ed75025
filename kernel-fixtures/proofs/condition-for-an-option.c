// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what decides on an error counts where an option is on
 * Verdict: not proven
 * Says: another value
 */
#include <linux/kconfig.h>
#include <linux/errno.h>

int subject(int x)
{
	int err = 0;

	if (x & 1)
		err = -EINVAL;
	if (IS_ENABLED(CONFIG_S390) && err)
		return err;
	return x;
}
