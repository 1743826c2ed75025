// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two places overlap
 * Verdict: refused
 */
int changed(char *one, char *other, int *value)
{
	if (one != other + 2)
		return 0;
	*value = *(int *)one;
	return 1;
}
