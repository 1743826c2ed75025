// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro makes a function of a name, which makes no use of its parameters
 * Verdict: not proven
 * Says: ^made_of_this_name\(\) makes no use of it in this configuration
 */
#include <linux/compiler.h>

#define MAKES(name, args...) int made_of_##name(args); int made_of_##name(args) { return 0; }

MAKES(this_name, int *first, int *second)
