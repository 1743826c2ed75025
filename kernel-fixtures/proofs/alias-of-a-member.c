// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member in the place of a macro that is this one here
 * Verdict: not proven
 * Says: may mean something else
 */
struct item {
	int first;
	int second;
};

#ifdef CONFIG_HOTCOCCI
#define count second
#else
#define count first
#endif

int use(int value);
int changed(struct item *item);

int changed(struct item *item)
{
	return use(item->count);
}
