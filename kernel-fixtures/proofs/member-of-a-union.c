// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member of a union for one that an option moves
 * Verdict: not proven
 * Says: another number
 */
struct record {
	union {
		struct {
#ifdef CONFIG_HOTCOCCI
			int more;
#endif
			int first;
		};
		int second;
	};
};
int use(int a, int b);
int subject(struct record *record);
int subject(struct record *record)
{
	int a = record->first, b = record->second;

	return use(a, b);
}
