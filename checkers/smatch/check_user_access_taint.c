// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This prints nothing.  It tells smatch_kernel_user_data.c what unsafe_get_user() and friends
 * have fetched.
 *
 * Smatch knows that get_user() gives user data, by the name of the macro and the variable in it.
 * So if a run of get_user() is made a window then everything that follows from the data is lost,
 * above all the Spectre checks.  get_user_inline() and the scopes are made of unsafe_get_user().
 *
 * The variables have other names on every architecture, so what is recognised is that a
 * caller's expression is assigned from one of the macro's own, which begin with underscores.
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
	/* "_dst = (d)": what it points to is user data after the copy, which comes at once. */
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
