// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * User access windows: user_access_begin() ... user_access_end(), and scopes.
 *
 * Follows one state, the window, along every path, and calls the check_user_access_*.c files for
 * each event and the window it happens in.  Register this file before them:
 *
 *	CK(register_user_access)
 *
 * Run it with --two-passes, or states carried by a loop or a backward goto are missed.
 *
 * This file classifies calls, statements and conditions; README.md describes the others.
 */

#include "smatch.h"
#include "smatch_slist.h"
#include "user_access_flow.h"
#include "user_access_names.h"

static void match_plain_call(struct symbol *sym, const char *name, struct position pos)
{
	struct user_access_event event = { .type = USER_CALL, .name = name, .pos = pos };
	struct symbol *base;
	const char *macro;
	bool own;
	int may;

	if (name && uaccess_is_safe(name))
		return;
	/* Calls in an accessor's arguments have the accessor's macros at their position. */
	own = uaccess_access_at(pos, &may) || uaccess_begin_at(pos, NULL, &may);
	macro = own ? NULL : uaccess_opening_macro(pos);
	if (macro || is_in(name, opens)) {
		event.type = USER_OPENS;
		event.name = macro ?: name;
		user_access_happens(event);
		return;
	}
	macro = own ? NULL : uaccess_sleeping_macro(pos);
	if (macro || uaccess_may_sleep(name)) {
		event.type = USER_SLEEP;
		event.name = macro ?: name;
		user_access_happens(event);
		return;
	}
	if (!name) {
		event.name = "a function pointer";
		user_access_happens(event);
		return;
	}
	if (sym->definition)
		sym = sym->definition;
	base = get_base_type(sym);
	if (base && base->type == SYM_FN && (base->stmt || base->inline_stmt)) {
		add_user_edge(name, pos);
		window_use(0, name);
		return;
	}
	user_access_happens(event);
}

/* The function, also of a static call, which is "({ ...; (&__SCT__name); })(...)". */
static struct expression *called_function(struct expression *fn)
{
	struct expression *value;

	fn = strip_expr(fn);
	value = fn ? get_last_expr_from_expression_stmt(fn) : NULL;
	if (value)
		fn = strip_expr(value);
	if (fn && fn->type == EXPR_PREOP && fn->op == '&')
		fn = strip_expr(fn->unop);
	return fn;
}

static void match_call(struct expression *call)
{
	struct position pos = uaccess_call_pos(call);
	struct expression *fn = called_function(call->fn);
	const char *name = NULL, *found;
	int may;

	if (__path_is_null() || in_user_access_half())
		return;
	if (fn && fn->type == EXPR_SYMBOL && fn->symbol && fn->symbol->ident &&
	    get_type(fn) && get_type(fn)->type == SYM_FN)
		name = fn->symbol->ident->name;

	found = uaccess_scope_end(name, &may);
	if (found) {
		window_end(pos, found, may, true);
		return;
	}
	if (is_in(name, save_calls)) {
		window_save();
		return;
	}
	if (is_in(name, restore_calls)) {
		window_restore();
		return;
	}
	if (is_in(name, begin_calls)) {
		found = uaccess_begin_at(pos, name, &may);
		if (found) {
			user_access_happens((struct user_access_event) {
				.type = USER_BEGIN, .name = found, .pos = pos, .may = may,
			});
			if (!is_in(name, tested_begins))
				window_begin(pos, may);
			return;
		}
	}
	found = is_in(name, end_calls) ? uaccess_end_at(pos, name, &may) : NULL;
	if (found) {
		window_end(pos, found, may, false);
		return;
	}
	if (is_in(name, begin_parts) && uaccess_begin_at(pos, NULL, &may))
		return;
	found = uaccess_access_at(pos, &may);
	if (found && name && uaccess_is_part(name)) {
		if (!uaccess_is_safe(name))
			window_access(pos, found, may);
		return;
	}
	if (!found && uaccess_begin_at(pos, NULL, &may))
		return;
	/* A bare __uaccess_begin() of x86, as in __try_cmpxchg_user(): leave it to the architecture. */
	if (name && strcmp(name, "stac") == 0) {
		if (!window_possibly_open())
			window_set_kind(WINDOW_KERNEL);
		return;
	}
	if (name && strcmp(name, "clac") == 0) {
		if (!window_possibly_open())
			window_set((struct user_window) { .kind = WINDOW_CLOSED, .pos = pos });
		return;
	}
	if (uaccess_is_fortify_part(name, pos))
		return;
	found = uaccess_copy(name);
	if (found) {
		if (!uaccess_is_small(get_argument_from_call_expr(call->args, 2)))
			user_access_happens((struct user_access_event) {
				.type = USER_CALL, .name = found, .pos = pos,
			});
		return;
	}
	/* What an inline function is given to call may be inline, too. */
	if (!name && fn && fn->type == EXPR_SYMBOL && this_user_function() &&
	    this_user_function()->is_inline && get_param_num_from_sym(fn->symbol) >= 0)
		return;
	match_plain_call(name ? fn->symbol : NULL, name, pos);
}

/*
 * Statements
 */

static void match_asm(struct statement *stmt)
{
	const char *found;
	int may;

	found = uaccess_access_at(stmt->pos, &may);
	if (found) {
		/* The macro reads and writes: the operands tell what this instruction does. */
		if (!may)
			may = stmt->asm_outputs ? USER_READ : USER_WRITE;
		window_access(stmt->pos, found, may);
		return;
	}
	if (uaccess_begin_at(stmt->pos, NULL, &may))
		return;
	found = uaccess_end_at(stmt->pos, NULL, &may);
	if (found) {
		window_end(stmt->pos, found, may, false);
		return;
	}
	found = uaccess_opening_macro(stmt->pos);
	if (found)
		user_access_happens((struct user_access_event) {
			.type = USER_OPENS, .name = found, .pos = stmt->pos,
		});
}

/* An end is "do { } while (0)" on architectures with nothing to close. */
static void match_empty_end(struct statement *stmt)
{
	struct statement *body = stmt->iterator_statement;
	const char *found;
	int may;

	if (!body || body->type != STMT_COMPOUND || ptr_list_size((struct ptr_list *)body->stmts))
		return;
	found = uaccess_end_at(stmt->pos, NULL, &may);
	if (found)
		window_end(stmt->pos, found, may, false);
}

/* Is the value of a statement expression a pointer that it declares, so that it is lost if unused? */
static bool returns_own_pointer(struct expression *expr)
{
	struct expression *value = get_last_expr_from_expression_stmt(expr);
	struct statement *stmt;
	struct symbol *sym;

	if (!value || value->type != EXPR_SYMBOL || !type_is_ptr(get_type(value)))
		return false;
	FOR_EACH_PTR(expr->statement->stmts, stmt) {
		if (stmt->type != STMT_DECLARATION)
			continue;
		FOR_EACH_PTR(stmt->declaration, sym) {
			if (sym == value->symbol)
				return true;
		} END_FOR_EACH_PTR(sym);
	} END_FOR_EACH_PTR(stmt);
	return false;
}

/* masked_user_access_begin() returns the pointer to use; "masked_user_access_begin(p);" drops it. */
static void match_dropped_begin(struct statement *stmt)
{
	struct expression *expr = stmt->expression;
	struct position pos;
	const char *found;
	int may;

	/* Not strip_expr(), which descends into statement expressions. */
	while (expr && expr->type == EXPR_PREOP && expr->op == '(')
		expr = expr->unop;
	if (!expr)
		return;
	if (expr->type == EXPR_STATEMENT && returns_own_pointer(expr))
		pos = expr->pos;
	else if (expr->type == EXPR_CALL && expr->fn && expr->fn->type == EXPR_SYMBOL &&
		 sym_name_is("__masked_user_access_begin", expr->fn))
		pos = expr->fn->pos;
	else
		return;
	found = uaccess_begin_at(pos, NULL, &may);
	if (!found || !uaccess_has_prefix(found, "masked_") || uaccess_scope_at(pos))
		return;
	user_access_happens((struct user_access_event) {
		.type = USER_BEGIN_DROPPED, .name = found, .pos = pos, .may = may,
	});
}

static void match_stmt(struct statement *stmt)
{
	scope_enter(stmt);
	condition_case(stmt);
	branch_before_masked_test(stmt);
	returns_statement(stmt);
	if (__path_is_null() || in_user_access_half())
		return;
	switch (stmt->type) {
	case STMT_ASM:
		match_asm(stmt);
		break;
	case STMT_ITERATOR:
		condition_loop(stmt);
		match_empty_end(stmt);
		break;
	case STMT_EXPRESSION:
		match_dropped_begin(stmt);
		break;
	default:
		break;
	}
}

void register_user_access(int id)
{
	int i;

	window_states(id);

	if (option_project != PROJ_KERNEL)
		return;

	returns_register();
	add_hook(&match_stmt, STMT_HOOK);
	add_hook(&scope_leave, STMT_HOOK_AFTER);
	add_hook(&branch_after_masked_test, STMT_HOOK_AFTER);
	add_hook(&branch_after_dead_label, STMT_HOOK_AFTER);
	add_hook(&match_call, FUNCTION_CALL_HOOK);
	add_hook(&branch_symbol, SYM_HOOK);
	add_hook(&kernel_condition, CONDITION_HOOK);
	add_hook(&condition_test, CONDITION_HOOK);
	add_hook(&condition_assigned, ASSIGNMENT_HOOK);
	add_hook(&condition_assigned, OP_HOOK);
	for (i = 0; i < ARRAY_SIZE(tested_begins); i++) {
		return_implies_state(tested_begins[i], 1, 1, &window_begin_worked, NULL);
		return_implies_state(tested_begins[i], 0, 0, &window_begin_failed, NULL);
	}
	add_hook(&helpers_end_file, END_FILE_HOOK);
}
