// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follow branches that the flow engine skips because their condition is constant.
 */

#include "smatch.h"
#include "smatch_slist.h"
#include "user_access_flow.h"

static struct statement *masked_test, *outer_masked_test[MAX_INLINES];
static struct stree *before_test;

static bool has_label(struct statement *stmt)
{
	struct statement *tmp;

	if (!stmt || stmt->type != STMT_COMPOUND)
		return false;
	FOR_EACH_PTR(stmt->stmts, tmp) {
		if (tmp->type == STMT_LABEL)
			return true;
	} END_FOR_EACH_PTR(tmp);
	return false;
}

/*
 * Accessors jump to their caller's label from a dead block, "if (0) { local_label: goto label; }".
 * The flow engine skips that block with its label, and would lose the fault path.
 */
void branch_after_dead_label(struct statement *stmt)
{
	sval_t sval;

	if (stmt->type != STMT_IF || stmt->if_false || !has_label(stmt->if_true))
		return;
	if (!get_macro_name(stmt->pos) || !get_value(stmt->if_conditional, &sval) || sval.value)
		return;
	__push_true_states();
	nullify_path();
	__split_stmt(stmt->if_true);
	__merge_true_states();
}

/*
 * "if (({ ... goto failed; ... failed: ret; }))".  After a condition, the flow engine combines the
 * states that were set inside it, but a label merges its gotos without setting any.  So set them
 * all again.  There is no hook for a label at the end of a statement expression, so this is done
 * at the value that follows the label.
 */
void branch_symbol(struct expression *expr)
{
	static struct sm_state *seen;
	struct stree *stree;
	struct sm_state *sm;

	if (!in_condition() || __path_is_null())
		return;
	sm = window_sm_state();
	if (!sm || !sm->merged || sm == seen)
		return;
	seen = sm;
	stree = clone_stree(__get_cur_stree());
	FOR_EACH_SM(stree, sm) {
		__set_sm(sm);
	} END_FOR_EACH_SM(sm);
	free_stree(&stree);
}

/*
 * "if (can_do_masked_user_access())" is constant on each architecture.  Where it is true, follow
 * the other branch too: other architectures run it.  Where it is false, the masked branch has
 * nothing to follow.  The kernel's own scopes have nothing to check in either.
 */
static const char *const masked_tests[] = { "can_do_masked_user_access" };

static bool is_masked_test(struct statement *stmt)
{
	struct position pos;
	sval_t sval;

	if (stmt->type != STMT_IF)
		return false;
	pos = strip_expr(stmt->if_conditional)->pos;
	return uaccess_has_macro(pos, masked_tests, ARRAY_SIZE(masked_tests)) &&
	       !uaccess_scope_at(pos) &&
	       get_value(stmt->if_conditional, &sval) && sval.value;
}

static int is_masked_value(struct expression *expr, void *unused)
{
	return uaccess_has_macro(expr->pos, masked_tests, ARRAY_SIZE(masked_tests));
}

/*
 * "if (!can_do_masked_user_access() && !open)".  smatch would not go the same way here as at the
 * test before, so of a function that has one follow the masked way alone.
 */
static bool has_negated_test(struct statement *stmt)
{
	struct expression *condition;
	struct statement *tmp;

	if (!stmt)
		return false;
	switch (stmt->type) {
	case STMT_COMPOUND:
		FOR_EACH_PTR(stmt->stmts, tmp) {
			if (has_negated_test(tmp))
				return true;
		} END_FOR_EACH_PTR(tmp);
		return false;
	case STMT_IF:
		condition = strip_expr(stmt->if_conditional);
		if ((condition->type == EXPR_PREOP || condition->type == EXPR_LOGICAL) &&
		    recurse(condition, is_masked_value, NULL, 0) > 0)
			return true;
		return has_negated_test(stmt->if_true) || has_negated_test(stmt->if_false);
	case STMT_ITERATOR:
		return has_negated_test(stmt->iterator_statement);
	case STMT_SWITCH:
		return has_negated_test(stmt->switch_statement);
	case STMT_CASE:
		return has_negated_test(stmt->case_statement);
	case STMT_LABEL:
		return has_negated_test(stmt->label_statement);
	default:
		return false;
	}
}

static struct statement *function_body(void)
{
	struct symbol *type = get_base_type(cur_func_sym);

	return type->stmt ?: type->inline_stmt;
}

void branch_before_masked_test(struct statement *stmt)
{
	/* Not in inlined functions: they are also parsed on their own. */
	if (is_masked_test(stmt) && !masked_test && !__inline_fn && !__path_is_null() &&
	    !has_negated_test(function_body())) {
		masked_test = stmt;
		before_test = clone_stree(__get_cur_stree());
	}
}

void branch_after_masked_test(struct statement *stmt)
{
	struct stree *taken;

	if (stmt != masked_test)
		return;
	masked_test = NULL;
	/* As split_if_statement() of smatch_flow.c does, or values and windows are no longer tied. */
	__push_true_states();
	taken = __swap_cur_stree(before_test);
	free_stree(&taken);
	before_test = NULL;
	__split_stmt(stmt->if_false);
	__merge_true_states();
}

/* smatch may have bailed out of the last function. */
void branch_function_start(void)
{
	masked_test = NULL;
}

void branch_inline_start(int depth)
{
	outer_masked_test[depth] = masked_test;
	masked_test = NULL;
}

void branch_inline_end(int depth)
{
	masked_test = outer_masked_test[depth];
}
