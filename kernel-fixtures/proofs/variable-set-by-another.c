// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a static variable is taken for what a function stored, which a pointer may have changed that another function keeps
 * Verdict: different
 */
#include <fixture/arguments.h>

static int value;
static int *kept;

int subject(struct karg *k, struct uarg __user *u)
{
	value = 1;
	*kept = k->a;
	return value;
}

void keep(void)
{
	kept = &value;
}
