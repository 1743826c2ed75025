// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member of which removed code uses another one, renamed
 * Verdict: proven
 */
struct item {
	int first;
	int second;
};

int use(int value);

#ifdef CONFIG_HOTCOCCI
int other(struct item *item)
{
	return use(item->second);
}
#endif

int changed(struct item *item);

int changed(struct item *item)
{
	return use(item->first);
}
