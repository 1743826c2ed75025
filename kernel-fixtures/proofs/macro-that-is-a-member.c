// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member in the place of a macro that is this member here
 * Verdict: not proven
 * Says: another value
 */
struct list {
	int count;
	int skipped;
};

#ifdef CONFIG_HOTCOCCI
#define length(list) ((list)->count + (list)->skipped)
#else
#define length(list) ((list)->count)
#endif

int use(int one, int other);
int changed(struct list *list);

int changed(struct list *list)
{
	int one = length(list), other = list->count;

	return use(one, other);
}
