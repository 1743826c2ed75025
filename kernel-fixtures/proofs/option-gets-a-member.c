// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member that moves into those of an option, beside a right change
 * Verdict: not proven
 * Says: decided by the preprocessor
 */
struct item {
	int first;
	int second;
#ifdef CONFIG_SMP
	long third;
	long fourth;
	long fifth;
#endif
};

int use(int value);
int changed(struct item *item);

int changed(struct item *item)
{
	int first = item->first;

	return use(first);
}
