// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two places overlap
 * Verdict: different
 * Says: returned
 */
int changed(char *one, char *other, int *value)
{
	if (one != other + 2)
		return 0;
	value[0] = *(int *)other;
	return *(int *)one;
}
