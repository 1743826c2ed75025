// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another value is used only where long has 32 bits
 * Verdict: not proven
 * Says: or be another value
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
