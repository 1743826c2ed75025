// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member through its address
 * Verdict: proven
 */
struct item {
	int first;
	int second;
};

int use(int value);
int changed(struct item *item);

int changed(struct item *item)
{
	return use(item->second);
}
