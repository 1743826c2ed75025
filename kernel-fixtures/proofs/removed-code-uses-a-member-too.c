// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member that removed code uses, renamed there, too
 * Verdict: not proven
 * Says: removed by the preprocessor
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
