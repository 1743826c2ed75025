// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function is given 0, where it was not called
 * Verdict: different
 * Says: mode_set
 */
#include <linux/errno.h>
#include <linux/types.h>

int mode_is_on(void);
void mode_set(long mode);
int mode_reset(void);

int mode_reset(void)
{
	if (!mode_is_on())
		return -EINVAL;
	mode_set(0);
	return 0;
}
