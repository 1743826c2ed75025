// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two places overlap
 * Verdict: not proven
 * Says: the result was
 */
int changed(char *one, char *other, int *value)
{
	if (one != other + 2)
		return 0;
	value[0] = *(int *)other;
	return *(int *)one;
}
