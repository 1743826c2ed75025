// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a parameter gets a name that compilers for another architecture define
 * Verdict: not proven
 * Says: of another architecture or configuration may define this name
 */
int changed(int base, int more);

int changed(int base, int more)
{
	return base + 2 * more;
}
