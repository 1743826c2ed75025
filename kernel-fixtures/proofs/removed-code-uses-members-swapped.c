// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members that removed code uses change places
 * Verdict: not proven
 * Says: or declares otherwise
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
	return use(item->first);
}
#endif

int changed(struct item *item);

int changed(struct item *item)
{
	return use(item->third);
}
