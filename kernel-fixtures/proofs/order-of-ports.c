// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two bytes of a port are read in one expression, of which C leaves the order open
 * Verdict: not proven
 * Says: leaves open
 */
#include <linux/io.h>
#include <linux/types.h>

u32 subject(int port);

u32 subject(int port)
{
	u32 word = inb(port);

	word |= inb(port) << 8;
	return word;
}
