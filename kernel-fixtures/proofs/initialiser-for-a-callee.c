// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable gets a value before a function sets it
 * Verdict: not proven
 * Says: may differ
 * Unproven: a value that nothing has set is compared
 */
int use(int *value);
int subject(int a);
int subject(int a)
{
	int value;

	if (use(&value))
		return a;
	return value;
}
