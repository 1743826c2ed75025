// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two stores to one place change places
 * Verdict: different
 * Says: now
 */
void changed(int *one, int *other)
{
	if (one != other)
		return;
	*one = 1;
	*other = 2;
}
