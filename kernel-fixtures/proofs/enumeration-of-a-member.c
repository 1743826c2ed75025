// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member that points to a function is said to pass a number, and the function takes an enumeration
 * Verdict: not proven
 * Says: CONFIG_CFI_CLANG
 */
#include <linux/types.h>

enum kind { ONE, OTHER };

struct calls {
	int (*run)(enum kind kind);
};

static int run(enum kind kind)
{
	return kind == OTHER;
}

int subject(struct calls *p, int x)
{
	p->run = run;
	return p->run(x);
}
