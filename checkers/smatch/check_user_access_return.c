// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function entry and return, and the windows that inlined helpers leave to their callers.
 */

#include "smatch.h"
#include "smatch_slist.h"
#include "user_access_flow.h"

/* Our type of return state; smatch_dbtypes.h reserves 7000-7999 for local ones. */
#define USER_WINDOW 7110

static struct statement *returning, *outer_returning[MAX_INLINES];
static int inlines;

/* Sparse drops the attribute, but it is before the name or on the previous line. */
static bool is_noinline(struct position name)
{
	FILE *file = fopen(stream_name(name.stream), "r");
	char buf[512];
	bool found = false;
	int line = 1;

	while (file && line <= name.line && fgets(buf, sizeof(buf), file)) {
		if (strpbrk(buf, ";}"))
			found = false;
		if (line + 2 > name.line && strstr(buf, "noinline"))
			found = true;
		line += !!strchr(buf, '\n');
	}
	if (file)
		fclose(file);
	return found;
}

static void match_function_start(struct symbol *sym)
{
	struct user_function *fn = this_user_function();

	if (!fn)
		return;
	scope_function_start();
	branch_function_start();
	condition_function_start();
	fn->defined = true;
	fn->stream = sym->pos.stream;
	fn->is_inline = sym->ctype.modifiers & MOD_INLINE;
	fn->is_static = sym->ctype.modifiers & MOD_STATIC;
	fn->is_noinline = fn->is_static && !fn->is_inline && is_noinline(sym->pos);
	window_set_kind(WINDOW_ENTRY);
}

/* Sparse does not keep the position of a function's closing brace, but it is in column 0. */
static struct position closing_brace(struct position start)
{
	struct position pos = start;
	FILE *file = fopen(stream_name(start.stream), "r");
	char buf[512];
	bool line_start = true;
	int line = 1;

	while (file && fgets(buf, sizeof(buf), file)) {
		if (line_start && line > start.line && buf[0] == '}') {
			pos.line = line;
			break;
		}
		line_start = strchr(buf, '\n');
		line += line_start;
	}
	if (file)
		fclose(file);
	return pos;
}

void returns_statement(struct statement *stmt)
{
	if (stmt->type == STMT_RETURN)
		returning = stmt;
}

static void match_return(struct expression *expr)
{
	struct position pos;

	/* If smatch gives up on a function, it adds a return where it stopped. */
	if (__bail_on_rest_of_function || __path_is_null() || in_user_access_half() ||
	    !window_possibly_open()) {
		returning = NULL;
		return;
	}
	if (this_user_function())
		this_user_function()->leaves_open = true;
	pos = returning ? returning->pos : closing_brace(cur_func_sym->pos);
	returning = NULL;
	user_access_happens((struct user_access_event) {
		.type = USER_RETURN, .name = "return", .pos = pos,
	});
}

static void match_inline_start(struct expression *call)
{
	int depth = inlines++;

	/* Smatch inlines no deeper than 5, see parse_inline(). */
	if (depth >= MAX_INLINES)
		sm_fatal("too many inlines");
	outer_returning[depth] = returning;
	returning = NULL;
	branch_inline_start(depth);
	scope_inline_start(depth);
}

static void match_inline_end(struct expression *call)
{
	int depth = --inlines;

	returning = outer_returning[depth];
	branch_inline_end(depth);
	scope_inline_end(depth);
}

/* Record the window an inlined helper leaves, for each of its return values. */
static void match_return_state(int return_id, char *return_ranges, struct expression *expr)
{
	const struct user_window *list[MAX_WINDOWS];
	const struct user_window *window;
	char buf[64];

	if (in_user_access_half() || window_possible(list) != 1)
		return;
	window = list[0];
	if (window->saved)
		return;
	if (window->kind == WINDOW_OPEN)
		snprintf(buf, sizeof(buf), "open %d", window->may);
	else if (window->kind == WINDOW_CLOSED)
		snprintf(buf, sizeof(buf), "%s", window->pos.line ? "balanced" : "ended");
	else
		return;
	sql_insert_return_states(return_id, return_ranges, USER_WINDOW, -1, "$", buf);
}

/* The helper ended its caller's window. */
static void match_helper_ended(void)
{
	struct user_function *fn = this_user_function();
	const struct user_window *list[MAX_WINDOWS];
	int i, nr = window_possible(list);

	for (i = 0; i < nr; i++) {
		if (list[i]->via)
			get_user_function(list[i]->via)->consumed = true;
	}
	if (fn)
		fn->ends = true;
	window_set_kind(WINDOW_CLOSED);
}

static void select_return_state(struct expression *call, int param, char *key, char *value)
{
	struct user_window window = { .kind = WINDOW_OPEN };
	const char *name;

	call = strip_expr(call);
	while (call && call->type == EXPR_ASSIGNMENT)
		call = strip_expr(call->right);
	if (!call || call->type != EXPR_CALL || !call->fn || call->fn->type != EXPR_SYMBOL ||
	    !call->fn->symbol || !call->fn->symbol->ident || in_user_access_half())
		return;
	name = call->fn->symbol->ident->name;
	if (uaccess_is_half(name))
		return;
	if (strcmp(value, "ended") == 0) {
		match_helper_ended();
		return;
	}
	if (window_possibly_open()) {
		window_set_kind(WINDOW_UNKNOWN);
		return;
	}
	if (sscanf(value, "open %d", &window.may) != 1)
		return;
	window.pos = uaccess_call_pos(call);
	window.via = get_user_function(name)->name;
	window_set(window);
}

void returns_register(void)
{
	add_hook(&match_function_start, AFTER_DEF_HOOK);
	add_hook(&match_return, RETURN_HOOK);
	add_hook(&match_inline_start, INLINE_FN_START);
	add_hook(&match_inline_end, INLINE_FN_END);
	add_split_return_callback(&match_return_state);
	select_return_states_hook(USER_WINDOW, &select_return_state);
}
