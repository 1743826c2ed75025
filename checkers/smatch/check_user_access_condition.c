// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "if (user) begin ... for (...) { if (user) access } if (user) end", and a flag that is set where a
 * window is opened in a loop.  smatch does not know any more after or in a loop which way an earlier
 * test went.  So remember what the tests before a begin say there, and what a flag says, and that the
 * same test goes the same way as long as nothing else changes its variable.
 */

#include "smatch.h"
#include "smatch_slist.h"
#include "user_access_flow.h"

#define MAX_TESTS 32

struct test {
	struct expression *expr;
	char *text;
	struct symbol *sym;
	struct position begin;	/* of the window that it decides about, if known */
	bool known;
	bool value;
	int loops;
};

static struct test tests[MAX_TESTS];
static int nr_tests, loops;

/* The second pass over a function knows what the first one found. */
void condition_function_start(void)
{
	static struct symbol *function;

	if (__inline_fn || function == cur_func_sym)
		return;
	function = cur_func_sym;
	nr_tests = 0;
}

static bool is_loop(struct statement *stmt)
{
	/* Not "do { } while (0)" */
	return stmt->type == STMT_ITERATOR && !expr_is_zero(stmt->iterator_post_condition);
}

void condition_loop(struct statement *stmt)
{
	loops += is_loop(stmt);
}

/* In a loop, the value of a switch may tell whether an earlier iteration has opened a window. */
void condition_case(struct statement *stmt)
{
	const struct user_window *list[MAX_WINDOWS];
	struct statement *outer = stmt_get_parent_stmt(stmt);

	if (!outer || outer->type != STMT_CASE || !window_possibly_open() ||
	    window_possible(list) == 1)
		return;
	while (outer && !is_loop(outer))
		outer = stmt_get_parent_stmt(outer);
	if (outer)
		window_set_kind(WINDOW_UNKNOWN);
}

static struct symbol *tested_symbol(struct expression *expr)
{
	struct symbol *sym = NULL;

	if (expr->type == EXPR_COMPARE)
		expr = strip_expr(expr->left);
	expr_to_var_sym(expr, &sym);
	return sym;
}

/* What the tests say where a window is opened. */
void condition_begin(struct position pos)
{
	int i;

	for (i = 0; i < nr_tests; i++) {
		struct test *test = &tests[i];
		bool is_true = implied_condition_true(test->expr);

		if (!test->sym || is_true == implied_condition_false(test->expr))
			continue;
		test->begin = pos;
		test->known = true;
		test->value = is_true;
		test->loops = loops;
	}
}

/* Is it set to one constant where only one window is possible, and to the other where it is not? */
static bool is_flag(struct test *test, struct expression *value)
{
	const struct user_window *list[MAX_WINDOWS];
	int i, nr = window_possible(list);
	sval_t sval;

	if (!nr || !value || !get_value(value, &sval) || test->expr->type != EXPR_SYMBOL)
		return false;
	if (nr == 1 && window_is_open(list[0]) && !list[0]->scoped) {
		test->begin = list[0]->pos;
		test->known = true;
		test->value = !!sval.value;
		test->loops = -1;
		return true;
	}
	for (i = 0; i < nr; i++) {
		if (window_is_open(list[i]) || (test->known && test->value == !!sval.value))
			return false;
	}
	return true;
}

void condition_assigned(struct expression *expr)
{
	struct expression *changed, *value = NULL;
	struct symbol *sym = NULL;
	int i;

	if (expr->type == EXPR_ASSIGNMENT) {
		changed = expr->left;
		value = expr->op == '=' ? expr->right : NULL;
	} else if (expr->op == '&' || expr->op == SPECIAL_INCREMENT ||
		   expr->op == SPECIAL_DECREMENT) {
		changed = expr->unop;
	} else {
		return;
	}
	expr_to_var_sym(strip_expr(changed), &sym);
	for (i = 0; sym && i < nr_tests; i++) {
		if (tests[i].sym == sym && !is_flag(&tests[i], value))
			tests[i].sym = NULL;
	}
}

/* The window that a test decides about, if it is open on some paths, and was never open on others. */
static const struct user_window *decided_window(const struct test *test)
{
	const struct user_window *list[MAX_WINDOWS], *found = NULL;
	int i, nr = window_possible(list);

	for (i = 0; i < nr; i++) {
		if (!positions_eq(list[i]->pos, test->begin))
			continue;
		if (list[i]->kind != WINDOW_OPEN)
			return NULL;
		found = list[i];
	}
	return nr > 1 ? found : NULL;
}

void condition_test(struct expression *expr)
{
	const struct user_window *window;
	struct symbol *sym = tested_symbol(expr);
	char *text;
	int i;

	if (!sym || uaccess_scope_at(expr->pos) || in_user_access_half())
		return;
	/* smatch follows the way that is not taken, too. */
	if (implied_condition_true(expr))
		window_set_kind_if(false, WINDOW_UNKNOWN);
	else if (implied_condition_false(expr))
		window_set_kind_if(true, WINDOW_UNKNOWN);
	text = expr_to_str(expr);
	for (i = 0; text && i < nr_tests; i++) {
		struct test *test = &tests[i];

		if (test->sym != sym || strcmp(test->text, text) != 0)
			continue;
		window = test->known && test->loops < loops ? decided_window(test) : NULL;
		if (window)
			window_set_if(test->value, window);
		return;
	}
	if (!text || nr_tests == MAX_TESTS || window_possibly_open())
		return;
	tests[nr_tests++] = (struct test) { .expr = expr, .text = alloc_string(text), .sym = sym };
}
