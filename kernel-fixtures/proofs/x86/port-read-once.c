// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a port is read once instead of twice
 * Verdict: different
 * Says: call in(
 */
#include <linux/io.h>
#include <linux/types.h>

int subject(int base);

int subject(int base)
{
	int first = inb(base);

	return first == inb(base);
}
