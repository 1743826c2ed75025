// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable gets the name of one that a macro of other architectures declares
 * Verdict: not proven
 * Says: of another architecture or configuration may define this name
 */
#include <linux/compiler.h>
#include <asm/barrier.h>

struct notes {
	unsigned int count;
};

unsigned int changed(struct notes *given);

unsigned int changed(struct notes *given)
{
	struct notes *kept = given;

	return smp_load_acquire(&kept->count);
}
