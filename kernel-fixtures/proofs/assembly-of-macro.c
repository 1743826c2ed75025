// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what a macro names in an asm statement
 * Verdict: not proven
 * Says: operands of asm statements
 */
#define WHAT "memory"
#define STOP() asm volatile("nop" : : : WHAT)

int subject(int *p)
{
	int a = *p;

	STOP();
	return a + 1;
}
