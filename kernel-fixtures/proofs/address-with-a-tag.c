// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an address without its tag, where the tag is needed
 * Verdict: not proven
 * Says: another value
 */
#include <linux/uaccess.h>

int use(unsigned long one, unsigned long other);
int changed(unsigned long address);

int changed(unsigned long address)
{
	unsigned long plain = untagged_addr(address);

	return use(address, plain);
}
