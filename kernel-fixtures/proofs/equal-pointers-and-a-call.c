// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call comes between two loads of one place
 * Verdict: not proven
 * Says: differ
 */
void report(void);

int changed(int *one, int *other)
{
	int found;

	if (one != other)
		return 0;
	found = *one;
	report();
	return *other;
}
