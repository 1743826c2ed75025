// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints nothing: tells smatch_kernel_user_data.c what unsafe_get_user() and friends fetched.
 *
 * Smatch recognizes user data from get_user() by the name of the macro and the variable in it.  If
 * a sequence of get_user() is turned into a window, all checks that depend on that data, such as
 * the Spectre checks, would stop working.  get_user_inline() and the scopes use unsafe_get_user().
 *
 * The variables' names differ between architectures, so match any assignment to an expression of
 * the caller from a variable of the macro, whose names begin with two underscores.
 */

#include "smatch.h"
#include "smatch_slist.h"
#include "smatch_extra.h"

static bool has_macro(struct expression *expr, const char *name)
{
	char *macro;

	FOR_EACH_PTR(get_all_macros(expr->pos), macro) {
		if (strcmp(macro, name) == 0)
			return true;
	} END_FOR_EACH_PTR(macro);
	return false;
}

static bool is_macros_own(struct expression *expr)
{
	char *name = expr_to_var(expr);
	bool ret = name && strncmp(name, "__", 2) == 0;

	free_string(name);
	return ret;
}

static void match_assign(struct expression *expr)
{
	if (expr->op != '=')
		return;
	/* "_dst = (d)": the copy follows at once and makes the pointed-to object user data. */
	if (has_macro(expr, "unsafe_copy_from_user") && type_is_ptr(get_type(expr->left)) &&
	    sym_name_is("_dst", expr->left)) {
		set_array_user_ptr(strip_expr(expr->right), true);
		return;
	}
	if (!has_macro(expr, "unsafe_get_user"))
		return;
	if (is_macros_own(expr->left) || !is_macros_own(expr->right))
		return;
	mark_as_user_data(expr->left, true);
}

void check_user_access_taint(int id)
{
	if (option_project != PROJ_KERNEL)
		return;
	add_hook(&match_assign, ASSIGNMENT_HOOK_AFTER);
}
