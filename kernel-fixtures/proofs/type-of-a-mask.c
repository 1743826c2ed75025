// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable of a type that is an array or a pointer by an option
 * Verdict: proven
 */
#include <linux/cpumask.h>
#include <linux/slab.h>

int use(const struct cpumask *mask);
int changed(void);

int changed(void)
{
	cpumask_var_t mask;
	int found;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return 0;
	found = use(mask);
	free_cpumask_var(mask);
	return found;
}
