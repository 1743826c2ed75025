// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two pointers are equal on one path only
 * Verdict: different
 * Says: returned
 */
int changed(int *one, int *other, int which)
{
	if (which && one != other)
		return 0;
	return *one;
}
