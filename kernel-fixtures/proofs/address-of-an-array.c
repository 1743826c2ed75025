// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the address of an array that another option makes a pointer
 * Verdict: not proven
 * Says: a type another one
 */
struct item {
	int kind;
#ifdef CONFIG_NUMA
	char name[16];
#else
	char *name;
#endif
};

void fill(void *to);
void subject(struct item *item);

void subject(struct item *item)
{
	fill(item->name);
}
