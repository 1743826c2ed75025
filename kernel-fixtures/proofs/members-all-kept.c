// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure is cleared and copied with all its members
 * Verdict: proven
 */
#include <linux/string.h>
struct record {
#ifdef CONFIG_HOTCOCCI
	int more;
#endif
	int first, second;
};
int use(const struct record *record);
int subject(struct record *to, const struct record *from);
int subject(struct record *to, const struct record *from)
{
	struct record record;

	memset(&record, 0, sizeof(record));
	memcpy(to, from, sizeof(*to));
	return use(&record);
}
