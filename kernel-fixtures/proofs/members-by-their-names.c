// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an initialiser that sets members by their names
 * Verdict: proven
 */
struct record {
	int first, second;
};
int use(const struct record *record);
int subject(int value);
int subject(int value)
{
	struct record record = { value, 2 };

	return use(&record);
}
