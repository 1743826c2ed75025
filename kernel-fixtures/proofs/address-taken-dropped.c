// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what only assembly refers to may be left out by LTO
 * Verdict: not proven
 * Says: attributes and promises to the compiler are not compared
 */
#include <linux/compiler.h>
#include <linux/stddef.h>

int subject(int *p);

int subject(int *p)
{
	return p == NULL;
}
__ADDRESSABLE(subject);
