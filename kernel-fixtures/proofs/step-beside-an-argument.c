// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a port is counted in a statement
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/io.h>

void put_both(struct karg *k, int port);

void put_both(struct karg *k, int port)
{
	outb(k->b0, port);
	outb(k->b1, port + 1);
}
