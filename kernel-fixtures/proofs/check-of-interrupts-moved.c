// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a check that interrupts are off, which is no code without CONFIG_PROVE_LOCKING, after they are on again
 * Verdict: not proven
 * Says: is not reached as before|does nothing in this configuration
 */
#include <linux/irqflags.h>
#include <linux/lockdep.h>

int use(int *p);

int changed(int *p, int n)
{
	unsigned long flags;

	local_irq_save(flags);
	lockdep_assert_irqs_disabled();
	n = use(p);
	local_irq_restore(flags);
	return n;
}
