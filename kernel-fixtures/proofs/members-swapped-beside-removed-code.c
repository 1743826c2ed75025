// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members that nothing uses change places
 * Verdict: proven
 */
struct item {
	int first;
	int second;
	int third;
};

int use(int value);

#ifdef CONFIG_HOTCOCCI
int other(struct item *item)
{
	return use(item->third);
}
#endif

int changed(struct item *item);

int changed(struct item *item)
{
	return use(item->third);
}
