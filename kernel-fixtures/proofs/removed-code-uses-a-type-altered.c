// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a type that only removed code uses becomes wider
 * Verdict: not proven
 * Says: or declares otherwise
 */
typedef unsigned char small;

struct item {
	int first;
	int third;
};

int use(int value);

#ifdef CONFIG_HOTCOCCI
int other(struct item *item)
{
	return use((small)item->third);
}
#endif

int changed(struct item *item);

int changed(struct item *item)
{
	return use(item->third);
}
