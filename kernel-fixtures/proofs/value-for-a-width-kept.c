// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same value is used only where long has 32 bits
 * Verdict: proven
 */
void note(int value);
int subject(int a, int b);

int subject(int a, int b)
{
	int value = a;

	if (sizeof(long) == 4)
		note(value);
	return a + b;
}
