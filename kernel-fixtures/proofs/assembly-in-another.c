// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function with an asm statement in the place of another
 * Verdict: not proven
 * Says: operands of asm statements
 */
static inline void stop_all(void)
{
	asm volatile("nop" : : : "memory");
}

static inline void stop_some(void)
{
	asm volatile("nop");
}

int subject(int *p, int q)
{
	int a = *p;

	if (q)
		stop_all();
	stop_all();
	return a + 1;
}
