// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of an array of another file, compared the other way round
 * Verdict: proven
 */
#include <linux/mmzone.h>

bool changed(pg_data_t *node, unsigned int n);

bool changed(pg_data_t *node, unsigned int n)
{
	return n < ARRAY_SIZE(node->node_zones);
}
