// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable gets another name, and one that nothing uses an attribute
 * Verdict: proven
 */
#include <linux/compiler.h>
#include <asm/barrier.h>

struct notes {
	unsigned int count;
};

void told(unsigned int count);
void changed(struct notes *given);

void changed(struct notes *given)
{
	struct notes *kept = given;
	int spare;

	told(smp_load_acquire(&kept->count));
}
