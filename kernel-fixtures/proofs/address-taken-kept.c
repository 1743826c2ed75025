// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what only assembly refers to stays
 * Verdict: proven
 */
#include <linux/compiler.h>
#include <linux/stddef.h>

int subject(int *p);

int subject(int *p)
{
	return p == NULL;
}
__ADDRESSABLE(subject);
