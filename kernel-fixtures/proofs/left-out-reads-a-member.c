// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another value of a member that only removed code reads
 * Verdict: not proven
 * Says: is not reached as before
 */
struct pair {
	int first;
	int second;
};

int use(int value);
int changed(int a, int b);

int changed(int a, int b)
{
	struct pair pair;

	pair.first = a;
	pair.second = a;
#ifdef CONFIG_HOTCOCCI
	use(pair.first);
#endif
	return use(pair.second);
}
