// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member that only removed code uses, renamed
 * Verdict: not proven
 * Says: uses what the change takes away
 */
struct item {
	int first;
};

int use(int value);

#ifdef CONFIG_HOTCOCCI
int other(struct item *item)
{
	return use(item->first);
}
#endif

int changed(struct item *item);

int changed(struct item *item)
{
	return use(item->first);
}
