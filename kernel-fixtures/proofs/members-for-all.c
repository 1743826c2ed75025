// SPDX-License-Identifier: GPL-2.0
/*
 * Title: each member is cleared in place of a structure to which an option adds some
 * Verdict: not proven
 * Says: another number
 */
#include <linux/string.h>
struct record {
#ifdef CONFIG_HOTCOCCI
	int more;
#endif
	int first, second;
};
void subject(struct record *record);
void subject(struct record *record)
{
	memset(record, 0, sizeof(*record));
}
