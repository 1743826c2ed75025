// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Paths on which the address is a kernel address need no window, as in read_mem_aligned() of
 * arch/powerpc/lib/sstep.c.
 */

#include "smatch.h"
#include "smatch_slist.h"
#include "user_access_flow.h"
#include "user_access_names.h"

void kernel_condition(struct expression *expr)
{
	const struct user_window *list[MAX_WINDOWS];
	bool on_right, on_left, above;
	int i, nr;

	if (in_user_access_half())
		return;
	nr = window_possible(list);
	for (i = 0; i < nr; i++) {
		if (list[i]->kind == WINDOW_OPEN || list[i]->kind == WINDOW_UNKNOWN)
			return;
	}
	if (expr->type == EXPR_CALL) {
		if (sym_name_is("is_kernel_addr", expr->fn))
			window_set_kind_if(true, WINDOW_KERNEL);
		return;
	}
	if (expr->type != EXPR_COMPARE)
		return;
	on_right = uaccess_has_macro(strip_expr(expr->right)->pos, borders, ARRAY_SIZE(borders));
	on_left = uaccess_has_macro(strip_expr(expr->left)->pos, borders, ARRAY_SIZE(borders));
	if (!on_right && !on_left)
		return;
	/* All of is_kernel_addr(x) has one position, and the limit is on the right. */
	if (on_right)
		on_left = false;
	switch (expr->op) {
	case '>':
	case SPECIAL_GTE:
	case SPECIAL_UNSIGNED_GT:
	case SPECIAL_UNSIGNED_GTE:
		above = on_right;
		break;
	case '<':
	case SPECIAL_LTE:
	case SPECIAL_UNSIGNED_LT:
	case SPECIAL_UNSIGNED_LTE:
		above = on_left;
		break;
	default:
		return;
	}
	window_set_kind_if(above, WINDOW_KERNEL);
}
