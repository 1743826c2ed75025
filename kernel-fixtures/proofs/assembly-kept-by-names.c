// SPDX-License-Identifier: GPL-2.0
/*
 * Title: asm statements of a function and a macro are kept
 * Verdict: proven
 */
#define WHAT "memory"
#define STOP(what) asm volatile("nop" : : : what)

static inline void stop_all(void)
{
	asm volatile("nop" : : : "memory");
}

int subject(int *p, int q)
{
	int a = *p;

	STOP(WHAT);
	if (q) {
		stop_all();
		return a + 1;
	} else {
		return a;
	}
}
