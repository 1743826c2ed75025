// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro of the file takes the clobbers of its asm statement
 * Verdict: not proven
 * Says: operands of asm statements
 */
#define STOP(what) asm volatile("nop" : : : what)

int subject(int *p)
{
	int a = *p;

	STOP("memory");
	return a + 1;
}
