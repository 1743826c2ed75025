// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store that may alias comes between two loads of one place
 * Verdict: not proven
 * Says: differ
 */
int changed(int *one, int *other, int *third)
{
	int found;

	if (one != other)
		return 0;
	found = *one;
	*third = 3;
	return *other;
}
