// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a port is counted in an argument of what m68k has as a macro
 * Verdict: not proven
 * Says: may evaluate it more than once
 */
#include <fixture/arguments.h>
#include <linux/io.h>

void put_both(struct karg *k, int port);

void put_both(struct karg *k, int port)
{
	outb(k->b0, port);
	outb(k->b1, port + 1);
}
