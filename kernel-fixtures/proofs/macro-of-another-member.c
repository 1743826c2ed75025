// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable with a member that an option chooses, and another one
 * Verdict: not proven
 * Says: another value
 */
struct record {
	int first, second;
};
#ifdef CONFIG_HOTCOCCI
#define chosen second
#else
#define chosen first
#endif
int use(int a, int b);
int subject(struct record *record);
int subject(struct record *record)
{
	int a = record->chosen, b = record->first;

	return use(a, b);
}
