// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array that another option makes a pointer, by the same name
 * Verdict: proven
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
	char *to = item->name;

	fill(to);
}
