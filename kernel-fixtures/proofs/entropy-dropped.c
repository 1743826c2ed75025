// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an attribute that a plugin of gcc reads is dropped
 * Verdict: not proven
 * Says: promises to the compiler
 */
#include <linux/compiler.h>
#include <linux/types.h>

int __latent_entropy changed(const int *value)
{
	return *value + 1;
}
