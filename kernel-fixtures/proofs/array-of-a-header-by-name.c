// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable that is a number in the place of the size of an array of another file
 * Verdict: not proven
 * Says: another value
 */
#include <linux/mmzone.h>

bool changed(pg_data_t *node, unsigned int n, unsigned int *kept);

bool changed(pg_data_t *node, unsigned int n, unsigned int *kept)
{
	unsigned int most = ARRAY_SIZE(node->node_zones), five = 5;

	*kept = most + five;
	return n < most;
}
