// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members of a union, each in its place
 * Verdict: proven
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
