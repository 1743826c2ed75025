// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number in the place of a command
 * Verdict: not proven
 * Says: _IOW\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/ioctl.h>

int changed(struct karg *k, unsigned int cmd)
{
	return cmd == _IOW('T', 1, int);
}
