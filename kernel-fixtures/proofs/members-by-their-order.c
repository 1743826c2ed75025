// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an initialiser that sets members by their order
 * Verdict: not proven
 * Says: which members
 */
struct record {
#ifdef CONFIG_HOTCOCCI
	int more;
#endif
	int first, second;
};
int use(const struct record *record);
int subject(int value);
int subject(int value)
{
	struct record record = { .first = value, .second = 2 };

	return use(&record);
}
