// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Skip functions that do not concern windows, which is nearly all of them.
 *
 * This is for runs of check_user_access_*.c alone, so it must be enabled by name:
 *
 *	smatch --enable=user_access_only,user_access_balance,...
 *
 * A function is checked if a window macro was expanded in it, if it calls a function that depends
 * on its caller's window or leaves one open, or if it may be called with a window open, directly
 * or through others.  Callees that were parsed already are known.  Later ones, and inlines, which
 * smatch parses after their first caller, are judged by the macros in their text.
 */

#include "smatch.h"
#include "scope.h"
#include "user_access_flow.h"

extern int option_enable, option_disable;

/*
 * What the walked function may call with a window open: all calls after the first window macro,
 * and all that may be repeated, in a loop or after a label.  NULL if not needed.
 */
static struct symbol_list **callees;
static bool mentioned, repeated;

static bool walk_expr(struct expression *expr);
static bool walk_stmt(struct statement *stmt);
static bool matters_to_caller(struct symbol *sym);

static bool walk_expr_list(struct expression_list *list)
{
	struct expression *expr;

	FOR_EACH_PTR(list, expr) {
		if (walk_expr(expr))
			return true;
	} END_FOR_EACH_PTR(expr);
	return false;
}

static bool walk_declarations(struct symbol_list *list)
{
	struct symbol *sym;

	FOR_EACH_PTR(list, sym) {
		if (walk_expr(sym->initializer))
			return true;
	} END_FOR_EACH_PTR(sym);
	return false;
}

static bool walk_operands(struct asm_operand_list *list)
{
	struct asm_operand *op;

	FOR_EACH_PTR(list, op) {
		if (walk_expr(op->expr))
			return true;
	} END_FOR_EACH_PTR(op);
	return false;
}

static bool walk_call(struct expression *expr)
{
	struct expression *fn = strip_expr(expr->fn);

	if (fn && fn->type == EXPR_SYMBOL && fn->symbol) {
		if (callees && (mentioned || repeated))
			add_ptr_list(callees, fn->symbol);
		else if (!callees && matters_to_caller(fn->symbol))
			return true;
	} else if (walk_expr(expr->fn)) {
		return true;
	}
	return walk_expr_list(expr->args);
}

static bool walk_generic(struct expression *expr)
{
	struct type_expression *map;

	for (map = expr->map; map; map = map->next) {
		if (walk_expr(map->expr))
			return true;
	}
	return walk_expr(expr->def);
}

/* Does anything in it concern windows?  Without callees, stop at the first match. */
static bool walk_expr(struct expression *expr)
{
	if (!expr)
		return false;
	if (uaccess_mentioned_at(expr->pos)) {
		mentioned = true;
		if (!callees)
			return true;
	}
	switch (expr->type) {
	case EXPR_STATEMENT:
		return walk_stmt(expr->statement);
	case EXPR_CALL:
		return walk_call(expr);
	case EXPR_PREOP:
	case EXPR_POSTOP:
		return walk_expr(expr->unop);
	case EXPR_BINOP:
	case EXPR_COMMA:
	case EXPR_COMPARE:
	case EXPR_LOGICAL:
	case EXPR_ASSIGNMENT:
		return walk_expr(expr->left) || walk_expr(expr->right);
	case EXPR_DEREF:
		return walk_expr(expr->deref);
	case EXPR_SLICE:
		return walk_expr(expr->base);
	case EXPR_CAST:
	case EXPR_FORCE_CAST:
	case EXPR_IMPLIED_CAST:
		return walk_expr(expr->cast_expression);
	case EXPR_CONDITIONAL:
	case EXPR_SELECT:
		return walk_expr(expr->conditional) || walk_expr(expr->cond_true) ||
		       walk_expr(expr->cond_false);
	case EXPR_INITIALIZER:
		return walk_expr_list(expr->expr_list);
	case EXPR_IDENTIFIER:
		return walk_expr(expr->ident_expression);
	case EXPR_INDEX:
		return walk_expr(expr->idx_expression);
	case EXPR_POS:
		return walk_expr(expr->init_expr);
	case EXPR_GENERIC:
		return walk_generic(expr);
	default:
		return false;
	}
}

static bool walk_stmt_list(struct statement_list *list)
{
	struct statement *stmt;

	FOR_EACH_PTR(list, stmt) {
		if (walk_stmt(stmt))
			return true;
	} END_FOR_EACH_PTR(stmt);
	return false;
}

/* Excludes the "do { } while (0)" of macros. */
static bool is_loop(struct statement *stmt)
{
	return stmt->type == STMT_ITERATOR &&
	       !(stmt->iterator_post_condition && expr_is_zero(stmt->iterator_post_condition));
}

static bool walk_stmt(struct statement *stmt)
{
	if (!stmt)
		return false;
	if (uaccess_mentioned_at(stmt->pos)) {
		mentioned = true;
		if (!callees)
			return true;
	}
	if (stmt->type == STMT_LABEL || is_loop(stmt))
		repeated = true;
	switch (stmt->type) {
	case STMT_DECLARATION:
		return walk_declarations(stmt->declaration);
	case STMT_EXPRESSION:
	case STMT_CONTEXT:
		return walk_expr(stmt->expression);
	case STMT_COMPOUND:
		return walk_stmt_list(stmt->stmts);
	case STMT_IF:
		return walk_expr(stmt->if_conditional) || walk_stmt(stmt->if_true) ||
		       walk_stmt(stmt->if_false);
	case STMT_RETURN:
		return walk_expr(stmt->ret_value);
	case STMT_CASE:
		return walk_stmt(stmt->case_statement);
	case STMT_SWITCH:
		return walk_expr(stmt->switch_expression) || walk_stmt(stmt->switch_statement);
	case STMT_ITERATOR:
		return walk_declarations(stmt->iterator_syms) ||
		       walk_stmt(stmt->iterator_pre_statement) ||
		       walk_expr(stmt->iterator_pre_condition) ||
		       walk_stmt(stmt->iterator_statement) ||
		       walk_stmt(stmt->iterator_post_statement) ||
		       walk_expr(stmt->iterator_post_condition);
	case STMT_LABEL:
		return walk_stmt(stmt->label_statement);
	case STMT_GOTO:
		return walk_expr(stmt->goto_expression);
	case STMT_ASM:
		return walk_operands(stmt->asm_outputs) || walk_operands(stmt->asm_inputs);
	default:
		return false;
	}
}

static bool walk_function(struct symbol *sym)
{
	struct symbol *base;

	if (sym->definition)
		sym = sym->definition;
	base = get_base_type(sym);
	if (!base || base->type != SYM_FN)
		return false;
	return walk_stmt(base->stmt) || walk_stmt(base->inline_stmt);
}

/* Does it, or a callee, use, end or leave open a window of its caller? */
static bool parsed_matters(struct user_function *fn)
{
	struct user_function *callee;
	struct user_sighting *sighting;
	struct user_edge *edge;
	bool ret = false;

	if (fn->ends_entry || fn->leaves_open)
		return true;
	for (sighting = fn->entry; sighting; sighting = sighting->next) {
		if (sighting->event.type == USER_ACCESS || sighting->event.type == USER_END)
			return true;
	}
	if (fn->asking)
		return false;
	fn->asking = true;
	for (edge = fn->edges; edge && !ret; edge = edge->next) {
		callee = get_user_function(edge->callee);
		if (callee->parsed)
			ret = parsed_matters(callee);
		else
			ret = !callee->walked || callee->mentions;
	}
	fn->asking = false;
	return ret;
}

static bool matters_to_caller(struct symbol *sym)
{
	struct user_function *fn;

	if (!sym->ident)
		return false;
	if (uaccess_is_mentioned(sym->ident->name))
		return true;
	fn = get_user_function(sym->ident->name);
	if (fn->parsed)
		return parsed_matters(fn);
	if (!fn->walked) {
		/* Set first, as it may be recursive. */
		fn->walked = true;
		fn->mentions = walk_function(sym);
	}
	return fn->mentions;
}

/* Mark all functions that may run in a window of this one, recursively. */
static void mark_guests(struct symbol *sym, bool in_window)
{
	struct symbol_list *called = NULL;
	struct symbol *tmp;
	struct user_function *fn;

	mentioned = in_window;
	repeated = false;
	callees = &called;
	walk_function(sym);
	callees = NULL;
	if (!mentioned) {
		free_ptr_list(&called);
		return;
	}
	FOR_EACH_PTR(called, tmp) {
		if (!tmp->ident || !(tmp->ctype.modifiers & (MOD_STATIC | MOD_INLINE)))
			continue;
		fn = get_user_function(tmp->ident->name);
		if (fn->maybe_guest)
			continue;
		fn->maybe_guest = true;
		mark_guests(tmp, true);
	} END_FOR_EACH_PTR(tmp);
	free_ptr_list(&called);
}

static void mark_all_guests(struct symbol_list *list)
{
	struct symbol *sym, *base;

	FOR_EACH_PTR(list, sym) {
		/* These lists contain macros too. */
		if (sym->namespace != NS_SYMBOL || sym->type != SYM_NODE)
			continue;
		base = get_base_type(sym);
		if (base && base->type == SYM_FN && (base->stmt || base->inline_stmt))
			mark_guests(sym, false);
	} END_FOR_EACH_PTR(sym);
}

static void match_function_start(struct symbol *sym)
{
	struct user_function *fn = this_user_function();
	static bool marked;

	if (!marked) {
		marked = true;
		mark_all_guests(file_scope->symbols);
		mark_all_guests(global_scope->symbols);
	}
	/* Helpers are checked for their caller's sake. */
	if (__inline_fn || !fn || fn->maybe_guest)
		return;
	if (!walk_function(sym))
		__bail_on_rest_of_function = 1;
}

static void match_function_end(struct symbol *sym)
{
	struct user_function *fn = this_user_function();

	if (fn && !__inline_fn)
		fn->parsed = true;
}

void check_user_access_only(int id)
{
	if (option_project != PROJ_KERNEL || !option_enable || option_disable)
		return;
	add_hook(&match_function_start, FUNC_DEF_HOOK);
	add_hook(&match_function_end, AFTER_FUNC_HOOK);
}
