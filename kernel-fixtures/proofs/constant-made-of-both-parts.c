// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same, with a macro of a header
 * Verdict: not proven
 * Says: removed by the preprocessor
 */
#include <linux/args.h>
#include <linux/types.h>

int use(int p);

#define SPEED_LOW 5
#define SPEED(x) SPEED_##x

int changed(int n)
{
	return use(SPEED_LOW * 1000);
}

#ifdef CONFIG_KCOV
int more(int n)
{
	return use(CONCATENATE(SPEED_, LOW));
}
#endif
