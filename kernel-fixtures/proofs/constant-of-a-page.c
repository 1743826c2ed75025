// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a constant that is 4096 in the place of one that is PAGE_SIZE
 * Verdict: not proven
 * Says: another value
 */
#include <linux/mm.h>

struct limits {
	unsigned long most;
	unsigned long least;
};

static const struct limits limits = { .most = PAGE_SIZE, .least = 4096 };

bool changed(unsigned long n);

bool changed(unsigned long n)
{
	return n > limits.most;
}
