// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a case falls through to one that only breaks, of which clang alone warns
 * Verdict: not proven
 * Says: clang, which compiles kernels, too, says: unannotated fall-through
 */
#include <linux/compiler.h>

int falls_to_a_break(int kind, int *count)
{
	static int calls;

	switch (kind) {
	case 1:
		calls += *count;
		break;
	default:
		break;
	}
	return calls;
}
