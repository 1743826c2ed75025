// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the error of a function of the file is ignored
 * Verdict: not proven
 */
#include <fixture/arguments.h>

int asked(struct karg *k);

static noinline int told(struct karg *k)
{
	u32 i;

	for (i = 0; i < k->b; i++)
		pr_info("%u of %u\n", i, k->b);
	for (i = 0; i < k->c; i++)
		pr_info("%u of %u\n", i, k->c);
	for (i = 0; i < k->d; i++)
		pr_info("%u of %u\n", i, k->d);
	for (i = 0; i < k->h0; i++)
		pr_info("%u of %u\n", i, k->h0);
	for (i = 0; i < k->h1; i++)
		pr_info("%u of %u\n", i, k->h1);
	if (k->a)
		pr_info("%u\n", k->a);
	if (k->b0)
		pr_info("%u\n", k->b0);
	return k->d ? -EINVAL : 0;
}

int asked(struct karg *k)
{
	int err;

	err = told(k);
	if (err)
		return err;
	return k->a;
}
