// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the member before another one by an index
 * Verdict: not proven
 * Says: the place of a member
 */
struct item {
	int first;
	int second;
};

int use(int value);
int changed(struct item *item);

int changed(struct item *item)
{
	return use(item->first);
}
