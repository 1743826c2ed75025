// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Windows of user access: user_access_begin() ... user_access_end(), and scopes.
 *
 * This file follows one state along every path, the window, and tells the check_user_access_*.c
 * files what happens in which window.  Register it before them:
 *
 *	CK(register_user_access)
 *
 * It has to be run with --two-passes, or a state that a loop or a backward goto carries around
 * is not seen.
 *
 * All the accessors are macros around inline assembly, so they are told by the macros that were
 * expanded at the position of a statement or call, not by the function that is called in the
 * end: that is clac() on x86, prevent_user_access() on powerpc, and so on.  Sparse gives
 * everything that a macro expands to the position of its invocation.  The one doubt is a macro
 * that opens in one flavour and ends in another: then the flavour is not known and not checked.
 *
 * A function starts in the state that its caller left it in (WINDOW_ENTRY).  What it does in that
 * state is written down, and at the end of the file it is seen from where the function was called.
 * Helpers that are meant to run in an open window, and those that return with one open, come out
 * right that way.  A function that is not inline can't be called with a window open by anybody,
 * so if there is no caller in the file it starts closed.
 */

#include <stdarg.h>
#include "smatch.h"
#include "smatch_slist.h"
#include "user_access.h"
#include "user_access_names.h"

/* A number of our own for return states; smatch_dbtypes.h keeps 7000-7999 for such. */
#define USER_WINDOW 7110
#define MAX_WINDOWS 64
#define MAX_SCOPES 32
#define NR_BUCKETS 4096
#define STATE_NAME "user access"

#define is_in(name, list) in_names(name, list, ARRAY_SIZE(list))

struct known_window {
	struct user_window window;
	struct smatch_state state;
	struct known_window *next;
};

/* One event in one window. */
struct sighting {
	struct user_access_event event;
	const struct user_window *window;
	struct sighting *next;
};

/* One call of a function with a body, in one window. */
struct edge {
	struct function *caller;
	const char *callee;
	struct position pos;
	const struct user_window *window;
	struct edge *next;
};

struct function {
	const char *name;
	int stream;
	bool defined;
	bool is_inline;
	bool is_static;
	bool ends;		/* there is an end in it */
	bool ends_entry;	/* ... which ends what its caller opened */
	bool called;
	bool called_open;
	bool consumed;		/* what it left open was ended by a caller */
	int guest;		/* accesses in its caller's window: 0 not asked, 1 no, 2 yes */
	int touches;		/* accesses or ends there: likewise */
	unsigned int visit;
	struct sighting *entry;
	struct edge *edges;
	struct function *next;
	struct function *same_bucket;
};

struct warning {
	struct position pos;
	const char *code;
	char *text;
	const char *function;
	struct warning *next;
};

struct hook_entry {
	user_access_hook *hook;
	struct hook_entry *next;
};

static int my_id;
static struct known_window *known_windows;
static struct function *functions, *buckets[NR_BUCKETS];
static struct sighting *sightings;
static struct edge *edges;
static struct warning *warnings;
static struct hook_entry *hooks[NR_USER_EVENTS];
static struct statement *returning, *outer_returning;
static struct position scopes[MAX_SCOPES];
static int nr_scopes, first_scope, outer_first_scope;
static struct statement *masked_test, *outer_masked_test;
static struct stree *before_test;
static unsigned int visits;

static void *zalloc(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		sm_fatal("out of memory");
	return p;
}

static bool in_names(const char *name, const char *const *list, int nr)
{
	int i;

	for (i = 0; name && i < nr; i++) {
		if (strcmp(name, list[i]) == 0)
			return true;
	}
	return false;
}

static bool has_prefix(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool has_macro(struct position pos, const char *const *list, int nr)
{
	char *macro;

	FOR_EACH_PTR(get_all_macros(pos), macro) {
		if (in_names(macro, list, nr))
			return true;
	} END_FOR_EACH_PTR(macro);
	return false;
}

/*
 * The first name of a table among the macros at a position.  If there are two that differ in what
 * they may do then *may is zero.
 */
static const char *macro_in_table(struct position pos, const struct user_access_name *table,
				  int nr, int *may)
{
	const char *found = NULL;
	char *macro;
	int i;

	FOR_EACH_PTR(get_all_macros(pos), macro) {
		for (i = 0; i < nr; i++) {
			if (strcmp(macro, table[i].name) != 0)
				continue;
			if (!found)
				*may = table[i].may;
			else if (*may != table[i].may)
				*may = 0;
			if (!found)
				found = table[i].name;
		}
	} END_FOR_EACH_PTR(macro);
	return found;
}

/* "user_write_access_begin" expands to "user_access_begin" on most: the outer one counts. */
static const char *outer_in_table(struct position pos, const struct user_access_name *table,
				  int nr, int *may)
{
	const char *found = NULL;
	int wide = USER_READ | USER_WRITE;
	char *macro;
	int i;

	*may = 0;
	FOR_EACH_PTR(get_all_macros(pos), macro) {
		for (i = 0; i < nr; i++) {
			if (strcmp(macro, table[i].name) != 0)
				continue;
			if (!found || (*may == wide && table[i].may != wide)) {
				found = table[i].name;
				*may = table[i].may;
			} else if (table[i].may != wide && table[i].may != *may) {
				*may = 0;
				return found;
			}
		}
	} END_FOR_EACH_PTR(macro);
	return found;
}

static const char *name_in_table(const char *name, const struct user_access_name *table, int nr,
				 int *may)
{
	int i;

	for (i = 0; name && i < nr; i++) {
		if (strcmp(name, table[i].name) == 0) {
			*may = table[i].may;
			return table[i].name;
		}
	}
	return NULL;
}

/* A kernel with one masked begin for all directions ends it in the flavour that it was used in. */
static bool has_masked_flavours(void)
{
	return lookup_symbol(built_in_ident("masked_user_read_access_begin"), NS_MACRO);
}

static const char *begin_at(struct position pos, const char *fn, int *may)
{
	const char *name = outer_in_table(pos, begin_names, ARRAY_SIZE(begin_names), may);

	if (!name)
		name = name_in_table(fn, begin_names, ARRAY_SIZE(begin_names), may);
	if (name && strcmp(name, "masked_user_access_begin") == 0 && !has_masked_flavours())
		*may = 0;
	return name;
}

static const char *end_at(struct position pos, const char *fn, int *may)
{
	const char *name = outer_in_table(pos, end_names, ARRAY_SIZE(end_names), may);

	return name ?: name_in_table(fn, end_names, ARRAY_SIZE(end_names), may);
}

static const char *access_at(struct position pos, int *may)
{
	return macro_in_table(pos, access_names, ARRAY_SIZE(access_names), may);
}

static bool may_sleep(const char *name)
{
	int i;

	for (i = 0; name && i < ARRAY_SIZE(sleeps); i++) {
		if (!has_prefix(name, sleeps[i]))
			continue;
		if (!name[strlen(sleeps[i])] || name[strlen(sleeps[i])] == '_')
			return true;
	}
	return false;
}

static const char *sleeping_macro(struct position pos)
{
	char *macro;

	FOR_EACH_PTR(get_all_macros(pos), macro) {
		if (may_sleep(macro))
			return macro;
	} END_FOR_EACH_PTR(macro);
	return NULL;
}

static const char *opening_macro(struct position pos)
{
	char *macro;

	FOR_EACH_PTR(get_all_macros(pos), macro) {
		if (is_in(macro, opens))
			return macro;
	} END_FOR_EACH_PTR(macro);
	return NULL;
}

/*
 * The arguments of a macro have its position as well, so what is called there is the accessor's
 * own or stands in an argument.
 */
static bool is_part_of_access(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(access_parts); i++) {
		if (has_prefix(name, access_parts[i]))
			return true;
	}
	return false;
}

static bool is_safe(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(safe_prefixes); i++) {
		if (has_prefix(name, safe_prefixes[i]))
			return true;
	}
	return is_in(name, safe_calls) || is_in(name, halves);
}

/*
 * States
 */

static bool same_window(const struct user_window *a, const struct user_window *b)
{
	return a->kind == b->kind && a->may == b->may && a->scoped == b->scoped &&
	       a->saved == b->saved && a->via == b->via && positions_eq(a->pos, b->pos);
}

/* There is one struct for each content, as smatch compares states by their address. */
static struct known_window *know(struct user_window window)
{
	static const char *const kinds[] = {
		"entry", "closed", "failed", "open", "kernel", "unknown",
	};
	struct known_window *known;
	char buf[80];

	for (known = known_windows; known; known = known->next) {
		if (same_window(&known->window, &window))
			return known;
	}
	known = zalloc(sizeof(*known));
	known->window = window;
	snprintf(buf, sizeof(buf), "%s%s %s line %d", window.saved ? "saved " : "",
		 kinds[window.kind], directions(window.may), window.pos.line);
	known->state.name = alloc_string(buf);
	known->state.data = &known->window;
	known->next = known_windows;
	known_windows = known;
	return known;
}

static void set_window(struct user_window window)
{
	if (__path_is_null())
		return;
	set_state(my_id, STATE_NAME, NULL, &know(window)->state);
}

static void set_kind(enum user_window_kind kind)
{
	set_window((struct user_window) { .kind = kind });
}

/* The scopes around the current statement, each as its three loops. */
static bool is_inside(struct position pos)
{
	int i;

	for (i = first_scope; i < nr_scopes; i++) {
		if (positions_eq(scopes[i], pos))
			return true;
	}
	return false;
}

static bool is_scope(struct position pos)
{
	static const char *const scope[] = { "__scoped_user_access" };

	return has_macro(pos, scope, ARRAY_SIZE(scope));
}

static void enter_scope(struct statement *stmt)
{
	if (stmt->type == STMT_ITERATOR && is_scope(stmt->pos) && nr_scopes < MAX_SCOPES)
		scopes[nr_scopes++] = stmt->pos;
}

static void leave_scope(struct statement *stmt)
{
	if (stmt->type == STMT_ITERATOR && nr_scopes && positions_eq(scopes[nr_scopes - 1], stmt->pos))
		nr_scopes--;
}

/*
 * The windows that are possible here, each once.  A goto out of a scope ends its window, but the
 * flow engine calls cleanup functions only at the end of a block and at a return: so a scope that
 * we are not in any more is a closed one.
 */
static int possible_windows(const struct user_window **list)
{
	const struct user_window *window;
	struct sm_state *sm, *tmp;
	int i, nr = 0;

	if (__path_is_null())
		return 0;
	sm = get_sm_state(my_id, STATE_NAME, NULL);
	if (!sm)
		return 0;
	FOR_EACH_PTR(sm->possible, tmp) {
		window = tmp->state->data;
		if (tmp->state == &merged || tmp->state == &undefined || !window)
			continue;
		if (window->scoped && window->kind == WINDOW_OPEN && !is_inside(window->pos))
			window = &know((struct user_window) {
				.kind = WINDOW_CLOSED, .pos = window->pos,
			})->window;
		for (i = 0; i < nr && list[i] != window; i++)
			;
		if (i == nr && nr < MAX_WINDOWS)
			list[nr++] = window;
	} END_FOR_EACH_PTR(tmp);
	return nr;
}

bool window_is_open(const struct user_window *window)
{
	return window->kind == WINDOW_OPEN && !window->saved;
}

const char *directions(int may)
{
	switch (may) {
	case USER_READ:
		return "reading";
	case USER_WRITE:
		return "writing";
	case USER_READ | USER_WRITE:
		return "both";
	}
	return "an unknown direction";
}

static bool possibly_open(void)
{
	const struct user_window *list[MAX_WINDOWS];
	int i, nr = possible_windows(list);

	for (i = 0; i < nr; i++) {
		if (window_is_open(list[i]))
			return true;
	}
	return false;
}

/*
 * What happened
 */

static struct function *get_function_info(const char *name)
{
	unsigned int hash = 5381;
	const char *c;
	struct function *fn;

	for (c = name; *c; c++)
		hash = hash * 33 + *c;
	hash %= NR_BUCKETS;
	for (fn = buckets[hash]; fn; fn = fn->same_bucket) {
		if (strcmp(fn->name, name) == 0)
			return fn;
	}
	fn = zalloc(sizeof(*fn));
	fn->name = alloc_string(name);
	fn->same_bucket = buckets[hash];
	buckets[hash] = fn;
	fn->next = functions;
	functions = fn;
	return fn;
}

static struct function *this_function(void)
{
	static struct function *last;
	char *name = get_function();

	if (!name)
		return NULL;
	if (!last || strcmp(last->name, name) != 0)
		last = get_function_info(name);
	return last;
}

static bool in_half(void)
{
	return is_in(get_function(), halves);
}

static void add_sighting(struct sighting **list, const struct user_access_event *event,
			 const struct user_window *window)
{
	struct sighting *sighting = zalloc(sizeof(*sighting));

	sighting->event = *event;
	sighting->window = window;
	sighting->next = *list;
	*list = sighting;
}

static void happens(struct user_access_event event)
{
	const struct user_window *list[MAX_WINDOWS];
	struct function *fn = this_function();
	int i, j, nr;

	if (!final_pass || !fn)
		return;
	event.function = fn->name;
	nr = possible_windows(list);
	if (event.type == USER_BEGIN_DROPPED && nr) {
		/* A bug in any window. */
		add_sighting(&sightings, &event, list[0]);
		return;
	}
	for (i = 0; i < nr; i++) {
		if (list[i]->kind == WINDOW_UNKNOWN)
			continue;
		if (list[i]->kind == WINDOW_ENTRY) {
			if (!list[i]->saved)
				add_sighting(&fn->entry, &event, list[i]);
			continue;
		}
		event.untested = false;
		for (j = 0; event.type == USER_ACCESS && j < nr; j++) {
			if (list[i]->kind == WINDOW_FAILED && list[j]->kind == WINDOW_OPEN &&
			    positions_eq(list[i]->pos, list[j]->pos))
				event.untested = true;
		}
		add_sighting(&sightings, &event, list[i]);
	}
}

static void add_edge(const char *callee, struct position pos)
{
	const struct user_window *list[MAX_WINDOWS];
	struct function *fn = this_function();
	struct edge *edge, **head;
	int i, nr;

	if (!final_pass || !fn)
		return;
	nr = possible_windows(list);
	for (i = 0; i < nr; i++) {
		if (list[i]->kind == WINDOW_UNKNOWN || list[i]->saved)
			continue;
		head = list[i]->kind == WINDOW_ENTRY ? &fn->edges : &edges;
		edge = zalloc(sizeof(*edge));
		edge->caller = fn;
		edge->callee = alloc_string(callee);
		edge->pos = pos;
		edge->window = list[i];
		edge->next = *head;
		*head = edge;
	}
}

/*
 * Begin and end
 */

static void open_window(struct position pos, int may)
{
	const struct user_window *list[MAX_WINDOWS];
	int i, nr, nr_open = 0;

	nr = possible_windows(list);
	for (i = 0; i < nr; i++)
		nr_open += list[i]->kind == WINDOW_OPEN || list[i]->kind == WINDOW_UNKNOWN;
	if (nr && nr_open == nr) {
		/* It was reported as nested; the first end closes both. */
		set_kind(WINDOW_UNKNOWN);
		return;
	}
	set_window((struct user_window) {
		.kind = WINDOW_OPEN,
		.may = may,
		.pos = pos,
		.scoped = is_scope(pos),
	});
}

static struct position call_pos(struct expression *call)
{
	return call->fn ? call->fn->pos : call->pos;
}

static void match_begin_worked(const char *fn, struct expression *call, struct expression *assign,
			       void *unused)
{
	int may;

	if (in_half() || !begin_at(call_pos(call), fn, &may))
		return;
	open_window(call_pos(call), may);
}

static void match_begin_failed(const char *fn, struct expression *call, struct expression *assign,
			       void *unused)
{
	const struct user_window *list[MAX_WINDOWS];
	int i, nr, may;

	if (in_half() || !begin_at(call_pos(call), fn, &may))
		return;
	nr = possible_windows(list);
	for (i = 0; i < nr; i++) {
		if (list[i]->kind != WINDOW_OPEN && list[i]->kind != WINDOW_UNKNOWN)
			continue;
		/* The outer window is still there. */
		set_window(*list[i]);
		return;
	}
	set_window((struct user_window) {
		.kind = WINDOW_FAILED, .may = may, .pos = call_pos(call),
	});
}

static void end_window(struct position pos, const char *name, int may, bool cleanup)
{
	const struct user_window *list[MAX_WINDOWS];
	struct user_window ended = { .kind = WINDOW_CLOSED };
	int i, nr, nr_unknown = 0;
	struct function *fn;

	if (__path_is_null())
		return;
	if (!cleanup)
		happens((struct user_access_event) {
			.type = USER_END, .name = name, .pos = pos, .may = may,
		});
	nr = possible_windows(list);
	fn = this_function();
	for (i = 0; i < nr; i++) {
		if (list[i]->kind == WINDOW_UNKNOWN ||
		    (list[i]->kind == WINDOW_OPEN && list[i]->scoped && !cleanup))
			nr_unknown++;
		if (list[i]->kind == WINDOW_OPEN)
			ended.pos = list[i]->pos;
		if (list[i]->kind == WINDOW_OPEN && list[i]->via)
			get_function_info(list[i]->via)->consumed = true;
		if (fn && list[i]->kind == WINDOW_ENTRY)
			fn->ends_entry = true;
	}
	if (fn && !cleanup)
		fn->ends = true;
	if (nr_unknown && nr_unknown == nr)
		ended = (struct user_window) { .kind = WINDOW_UNKNOWN };
	set_window(ended);
}

static void match_save(void)
{
	const struct user_window *list[MAX_WINDOWS];
	struct user_window window = { .kind = WINDOW_UNKNOWN };

	if (possible_windows(list) == 1)
		window = *list[0];
	window.saved = true;
	set_window(window);
}

static void match_restore(void)
{
	const struct user_window *list[MAX_WINDOWS];
	struct user_window window = { .kind = WINDOW_UNKNOWN };

	if (possible_windows(list) == 1)
		window = *list[0];
	window.saved = false;
	set_window(window);
}

/* A begin whose result was not looked at, and that did not fail: what follows is in a window. */
static void assume_it_worked(void)
{
	const struct user_window *list[MAX_WINDOWS];
	const struct user_window *opened = NULL;
	bool untested = false;
	int i, j, nr;

	nr = possible_windows(list);
	for (i = 0; i < nr; i++) {
		for (j = 0; j < nr; j++) {
			if (list[i]->kind == WINDOW_FAILED && list[j]->kind == WINDOW_OPEN &&
			    positions_eq(list[i]->pos, list[j]->pos)) {
				opened = list[j];
				untested = true;
			}
		}
	}
	if (untested)
		set_window(*opened);
}

static void match_access(struct position pos, const char *name, int may)
{
	happens((struct user_access_event) {
		.type = USER_ACCESS, .name = name, .pos = pos, .may = may,
	});
	assume_it_worked();
}

/*
 * Calls
 */

static void match_plain_call(struct symbol *sym, const char *name, struct position pos)
{
	struct user_access_event event = { .type = USER_CALL, .name = name, .pos = pos };
	struct symbol *base;
	const char *macro;
	bool own;
	int may;

	if (name && is_safe(name))
		return;
	/* What an accessor's argument calls has the accessor's macros. */
	own = access_at(pos, &may) || begin_at(pos, NULL, &may);
	macro = own ? NULL : opening_macro(pos);
	if (macro || is_in(name, opens)) {
		event.type = USER_OPENS;
		event.name = macro ?: name;
		happens(event);
		return;
	}
	macro = own ? NULL : sleeping_macro(pos);
	if (macro || may_sleep(name)) {
		event.type = USER_SLEEP;
		event.name = macro ?: name;
		happens(event);
		return;
	}
	if (!name) {
		event.name = "a function by its address";
		happens(event);
		return;
	}
	if (sym->definition)
		sym = sym->definition;
	base = get_base_type(sym);
	if (base && base->type == SYM_FN && (base->stmt || base->inline_stmt)) {
		add_edge(name, pos);
		return;
	}
	happens(event);
}

static void match_call(struct expression *call)
{
	struct position pos = call_pos(call);
	struct expression *fn = strip_expr(call->fn);
	const char *name = NULL, *found;
	int may;

	if (__path_is_null() || in_half())
		return;
	if (fn && fn->type == EXPR_SYMBOL && fn->symbol && fn->symbol->ident &&
	    get_base_type(fn->symbol) && get_base_type(fn->symbol)->type == SYM_FN)
		name = fn->symbol->ident->name;

	found = name_in_table(name, scope_end_names, ARRAY_SIZE(scope_end_names), &may);
	if (found) {
		end_window(pos, found, may, true);
		return;
	}
	if (is_in(name, save_calls)) {
		match_save();
		return;
	}
	if (is_in(name, restore_calls)) {
		match_restore();
		return;
	}
	if (is_in(name, begin_calls)) {
		found = begin_at(pos, name, &may);
		if (found) {
			happens((struct user_access_event) {
				.type = USER_BEGIN, .name = found, .pos = pos, .may = may,
			});
			if (!is_in(name, tested_begins))
				open_window(pos, may);
			return;
		}
	}
	found = is_in(name, end_calls) ? end_at(pos, name, &may) : NULL;
	if (found) {
		end_window(pos, found, may, false);
		return;
	}
	if (is_in(name, begin_parts) && begin_at(pos, NULL, &may))
		return;
	found = access_at(pos, &may);
	if (found && name && is_part_of_access(name)) {
		if (!is_safe(name))
			match_access(pos, found, may);
		return;
	}
	if (!found && begin_at(pos, NULL, &may))
		return;
	/* __uaccess_begin() of x86 by itself, as in __try_cmpxchg_user(): the architecture's business. */
	if (name && strcmp(name, "stac") == 0) {
		if (!possibly_open())
			set_kind(WINDOW_KERNEL);
		return;
	}
	if (name && strcmp(name, "clac") == 0) {
		if (!possibly_open())
			set_window((struct user_window) { .kind = WINDOW_CLOSED, .pos = pos });
		return;
	}
	match_plain_call(name ? fn->symbol : NULL, name, pos);
}

/*
 * Statements
 */

static void match_asm(struct statement *stmt)
{
	const char *found;
	int may;

	found = access_at(stmt->pos, &may);
	if (found) {
		/* A macro that reads and writes: what this instruction does shows in its operands. */
		if (!may)
			may = stmt->asm_outputs ? USER_READ : USER_WRITE;
		match_access(stmt->pos, found, may);
		return;
	}
	if (begin_at(stmt->pos, NULL, &may))
		return;
	found = end_at(stmt->pos, NULL, &may);
	if (found) {
		end_window(stmt->pos, found, may, false);
		return;
	}
	found = opening_macro(stmt->pos);
	if (found)
		happens((struct user_access_event) {
			.type = USER_OPENS, .name = found, .pos = stmt->pos,
		});
}

/* Where nothing has to be closed an end is "do { } while (0)". */
static void match_empty_end(struct statement *stmt)
{
	struct statement *body = stmt->iterator_statement;
	const char *found;
	int may;

	if (!body || body->type != STMT_COMPOUND || ptr_list_size((struct ptr_list *)body->stmts))
		return;
	found = end_at(stmt->pos, NULL, &may);
	if (found)
		end_window(stmt->pos, found, may, false);
}

/* masked_user_access_begin() gives the pointer to use; "masked_user_access_begin(p);" does not. */
static void match_dropped_begin(struct statement *stmt)
{
	struct expression *expr = stmt->expression;
	struct position pos;
	const char *found;
	int may;

	/* Not strip_expr(), which goes into a statement expression. */
	while (expr && expr->type == EXPR_PREOP && expr->op == '(')
		expr = expr->unop;
	if (!expr)
		return;
	if (expr->type == EXPR_STATEMENT)
		pos = expr->pos;
	else if (expr->type == EXPR_CALL && expr->fn && expr->fn->type == EXPR_SYMBOL &&
		 sym_name_is("__masked_user_access_begin", expr->fn))
		pos = expr->fn->pos;
	else
		return;
	found = begin_at(pos, NULL, &may);
	if (!found || !has_prefix(found, "masked_") || is_scope(pos))
		return;
	happens((struct user_access_event) {
		.type = USER_BEGIN_DROPPED, .name = found, .pos = pos, .may = may,
	});
}

/* Put what a block was left with together with the path around it. */
static void join_path(struct stree *other)
{
	struct stree *left = __swap_cur_stree(other);

	if (left && __path_is_null())
		__swap_cur_stree(left);
	else if (left)
		__merge_stree_into_cur(left);
}

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
 * Accessors jump to their caller's label from a block that nothing falls into,
 * "if (0) { local_label: goto label; }".  The flow engine skips that block with its labels, so
 * faults would go nowhere.
 */
static void match_dead_label(struct statement *stmt)
{
	struct stree *fallen_through;
	sval_t sval;

	if (stmt->type != STMT_IF || stmt->if_false || !has_label(stmt->if_true))
		return;
	if (!get_macro_name(stmt->pos) || !get_value(stmt->if_conditional, &sval) || sval.value)
		return;
	fallen_through = clone_stree(__get_cur_stree());
	nullify_path();
	__split_stmt(stmt->if_true);
	join_path(fallen_through);
}

/*
 * "if (can_do_masked_user_access())" is decided by the architecture.  Where it is true the classic
 * way is still some other one's kernel, so it is followed as well.
 */
static bool is_masked_test(struct statement *stmt)
{
	char *macro;

	if (stmt->type != STMT_IF)
		return false;
	macro = get_macro_name(strip_expr(stmt->if_conditional)->pos);
	return macro && strcmp(macro, "can_do_masked_user_access") == 0;
}

static void before_masked_test(struct statement *stmt)
{
	/* Not in an inlined function: it is parsed by itself as well. */
	if (is_masked_test(stmt) && !masked_test && !__inline_fn && !__path_is_null()) {
		masked_test = stmt;
		before_test = clone_stree(__get_cur_stree());
	}
}

static void after_masked_test(struct statement *stmt)
{
	struct stree *taken;
	sval_t sval;

	if (stmt != masked_test)
		return;
	masked_test = NULL;
	/* An architecture without masked begins has nothing to offer for the other branch. */
	if (!get_value(stmt->if_conditional, &sval) || !sval.value) {
		free_stree(&before_test);
		return;
	}
	taken = __swap_cur_stree(before_test);
	before_test = NULL;
	__split_stmt(stmt->if_false);
	join_path(taken);
}

static void match_stmt(struct statement *stmt)
{
	enter_scope(stmt);
	before_masked_test(stmt);
	if (stmt->type == STMT_RETURN)
		returning = stmt;
	if (__path_is_null() || in_half())
		return;
	switch (stmt->type) {
	case STMT_ASM:
		match_asm(stmt);
		break;
	case STMT_ITERATOR:
		match_empty_end(stmt);
		break;
	case STMT_EXPRESSION:
		match_dropped_begin(stmt);
		break;
	default:
		break;
	}
}

/*
 * A path on which the address was found to be the kernel's needs no window, as in
 * read_mem_aligned() of arch/powerpc/lib/sstep.c.
 */
static void match_condition(struct expression *expr)
{
	struct user_window kernel = { .kind = WINDOW_KERNEL };
	const struct user_window *list[MAX_WINDOWS];
	struct smatch_state *state = &know(kernel)->state;
	bool on_right, on_left, above;
	int i, nr;

	if (in_half())
		return;
	nr = possible_windows(list);
	for (i = 0; i < nr; i++) {
		if (list[i]->kind == WINDOW_OPEN || list[i]->kind == WINDOW_UNKNOWN)
			return;
	}
	if (expr->type == EXPR_CALL) {
		if (sym_name_is("is_kernel_addr", expr->fn))
			set_true_false_states(my_id, STATE_NAME, NULL, state, NULL);
		return;
	}
	if (expr->type != EXPR_COMPARE)
		return;
	on_right = has_macro(strip_expr(expr->right)->pos, borders, ARRAY_SIZE(borders));
	on_left = has_macro(strip_expr(expr->left)->pos, borders, ARRAY_SIZE(borders));
	if (!on_right && !on_left)
		return;
	/* All of is_kernel_addr(x) has one position, and its border stands on the right. */
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
	set_true_false_states(my_id, STATE_NAME, NULL, above ? state : NULL, above ? NULL : state);
}

/*
 * Functions
 */

static void match_function_start(struct symbol *sym)
{
	struct function *fn = this_function();

	if (!fn)
		return;
	/* Not where a function was given up in the middle. */
	nr_scopes = first_scope;
	masked_test = NULL;
	fn->defined = true;
	fn->stream = sym->pos.stream;
	fn->is_inline = sym->ctype.modifiers & MOD_INLINE;
	fn->is_static = sym->ctype.modifiers & MOD_STATIC;
	set_kind(WINDOW_ENTRY);
}

/* Sparse does not keep the position of a function's last brace, but it stands in column 0. */
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

static void match_return(struct expression *expr)
{
	struct position pos;

	/* A function that takes smatch too long is given a return where it was left. */
	if (__bail_on_rest_of_function || __path_is_null() || in_half() || !possibly_open()) {
		returning = NULL;
		return;
	}
	pos = returning ? returning->pos : closing_brace(cur_func_sym->pos);
	returning = NULL;
	happens((struct user_access_event) { .type = USER_RETURN, .name = "return", .pos = pos });
}

static void match_inline_start(struct expression *call)
{
	outer_returning = returning;
	returning = NULL;
	outer_masked_test = masked_test;
	masked_test = NULL;
	outer_first_scope = first_scope;
	first_scope = nr_scopes;
}

static void match_inline_end(struct expression *call)
{
	returning = outer_returning;
	masked_test = outer_masked_test;
	nr_scopes = first_scope;
	first_scope = outer_first_scope;
}

/* What an inlined helper leaves behind, apart for each value that it returns. */
static void match_return_state(int return_id, char *return_ranges, struct expression *expr)
{
	const struct user_window *list[MAX_WINDOWS];
	const struct user_window *window;
	char buf[64];

	if (in_half() || possible_windows(list) != 1)
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

static void select_return_state(struct expression *call, int param, char *key, char *value)
{
	struct user_window window = { .kind = WINDOW_CLOSED };

	call = strip_expr(call);
	while (call && call->type == EXPR_ASSIGNMENT)
		call = strip_expr(call->right);
	if (!call || call->type != EXPR_CALL || !call->fn || call->fn->type != EXPR_SYMBOL ||
	    !call->fn->symbol || !call->fn->symbol->ident || in_half())
		return;
	if (is_in(call->fn->symbol->ident->name, halves))
		return;
	if (strcmp(value, "balanced") == 0) {
		if (possibly_open())
			set_kind(WINDOW_UNKNOWN);
		return;
	}
	if (sscanf(value, "open %d", &window.may) == 1) {
		if (possibly_open()) {
			set_kind(WINDOW_UNKNOWN);
			return;
		}
		window.kind = WINDOW_OPEN;
		window.pos = call_pos(call);
		window.via = get_function_info(call->fn->symbol->ident->name)->name;
		set_window(window);
		return;
	}
	/* "ended" */
	{
		const struct user_window *list[MAX_WINDOWS];
		int i, nr = possible_windows(list);

		for (i = 0; i < nr; i++) {
			if (list[i]->via)
				get_function_info(list[i]->via)->consumed = true;
		}
		if (this_function())
			this_function()->ends = true;
	}
	set_window(window);
}

/*
 * The end of the file: what helpers did, seen from where they were called.
 */

void add_user_access_hook(enum user_access_type type, user_access_hook *hook)
{
	struct hook_entry *entry = zalloc(sizeof(*entry));

	entry->hook = hook;
	entry->next = hooks[type];
	hooks[type] = entry;
}

static void judge(const struct user_access_event *event, const struct user_window *window)
{
	struct hook_entry *entry;

	for (entry = hooks[event->type]; entry; entry = entry->next)
		entry->hook(event, window);
}

static struct function *defined_function(const char *name)
{
	struct function *fn = get_function_info(name);

	return fn->defined ? fn : NULL;
}

/* It accesses user memory in the window of its caller. */
static bool is_guest(struct function *fn)
{
	struct sighting *sighting;
	struct function *callee;
	struct edge *edge;

	if (fn->guest)
		return fn->guest == 2;
	fn->guest = 1;
	for (sighting = fn->entry; sighting; sighting = sighting->next) {
		if (sighting->event.type == USER_ACCESS)
			fn->guest = 2;
	}
	for (edge = fn->edges; edge && fn->guest == 1; edge = edge->next) {
		callee = defined_function(edge->callee);
		if (callee && is_guest(callee))
			fn->guest = 2;
	}
	return fn->guest == 2;
}

/* It makes a difference to it whether a window is closed. */
static bool touches_window(struct function *fn)
{
	struct sighting *sighting;
	struct function *callee;
	struct edge *edge;

	if (fn->touches)
		return fn->touches == 2;
	fn->touches = 1;
	for (sighting = fn->entry; sighting; sighting = sighting->next) {
		if (sighting->event.type == USER_ACCESS || sighting->event.type == USER_END)
			fn->touches = 2;
	}
	for (edge = fn->edges; edge && fn->touches == 1; edge = edge->next) {
		callee = defined_function(edge->callee);
		if (callee && touches_window(callee))
			fn->touches = 2;
	}
	return fn->touches == 2;
}

/*
 * A helper that was written to run in windows is at fault itself for what it does there, any other
 * function should not have been called.  The headers' helpers are never at fault.
 */
static bool blame_call(struct function *caller, struct function *callee)
{
	if (!is_guest(callee))
		return true;
	return callee->stream != caller->stream && callee->called_open && !callee->ends_entry;
}

static void see_call(const struct edge *edge, const struct user_window *window,
		     const struct edge *blamed);

static void see_function(struct function *fn, const struct user_window *window,
			 const struct edge *blamed)
{
	struct user_access_event event;
	struct sighting *sighting;
	struct edge *edge;

	if (fn->visit == visits)
		return;
	fn->visit = visits;
	if (!window_is_open(window) && !touches_window(fn))
		return;
	/* If it ends a window and no caller ever has one then its begin is missing. */
	if (fn->ends_entry && !fn->called_open)
		blamed = NULL;
	for (sighting = fn->entry; sighting; sighting = sighting->next) {
		event = sighting->event;
		if (blamed) {
			event.pos = blamed->pos;
			event.function = blamed->caller->name;
			if (event.type == USER_CALL || event.type == USER_SLEEP)
				event.name = blamed->callee;
		}
		judge(&event, window);
	}
	for (edge = fn->edges; edge; edge = edge->next)
		see_call(edge, window, blamed);
}

static void see_call(const struct edge *edge, const struct user_window *window,
		     const struct edge *blamed)
{
	struct function *callee = defined_function(edge->callee);
	struct user_access_event event = {
		.type = USER_CALL,
		.name = edge->callee,
		.function = edge->caller->name,
		.pos = edge->pos,
	};

	/* Not parsed, as smatch parses no inline of a header that is never called. */
	if (!callee)
		return;
	if (!callee->is_inline && window_is_open(window) && !is_guest(callee)) {
		if (blamed) {
			event.pos = blamed->pos;
			event.function = blamed->caller->name;
		}
		judge(&event, window);
		return;
	}
	if (!blamed && blame_call(edge->caller, callee))
		blamed = edge;
	see_function(callee, window, blamed);
}

static void mark_called_open(struct function *fn)
{
	struct function *callee;
	struct edge *edge;

	if (fn->called_open)
		return;
	fn->called_open = true;
	for (edge = fn->edges; edge; edge = edge->next) {
		callee = defined_function(edge->callee);
		if (callee)
			mark_called_open(callee);
	}
}

/*
 * It has no end, can be inlined, and some caller ends what it opened: then it returns with the
 * window open on purpose.
 */
static bool is_opener(const char *name)
{
	struct function *fn = get_function_info(name);
	struct function *caller;
	struct edge *edge;

	if (fn->ends || (!fn->is_inline && !fn->is_static))
		return false;
	if (fn->consumed)
		return true;
	/* Too large for smatch to look through: believe a caller that has an end. */
	for (edge = edges; edge; edge = edge->next) {
		if (strcmp(edge->callee, name) == 0 && edge->caller->ends_entry)
			return true;
	}
	for (caller = functions; caller; caller = caller->next) {
		for (edge = caller->edges; edge; edge = edge->next) {
			if (strcmp(edge->callee, name) == 0 && caller->ends_entry)
				return true;
		}
	}
	return false;
}

static void see_sighting(const struct sighting *sighting)
{
	if (sighting->event.type == USER_RETURN) {
		if (is_opener(sighting->event.function))
			return;
		/* The helper should not have returned with it open: reported there. */
		if (sighting->window->via && !is_opener(sighting->window->via))
			return;
	}
	judge(&sighting->event, sighting->window);
}

static int by_place(const void *_a, const void *_b)
{
	const struct warning *a = *(const struct warning **)_a;
	const struct warning *b = *(const struct warning **)_b;

	if (a->pos.stream != b->pos.stream)
		return a->pos.stream < b->pos.stream ? -1 : 1;
	if (a->pos.line != b->pos.line)
		return a->pos.line < b->pos.line ? -1 : 1;
	return strcmp(a->code, b->code) ?: strcmp(a->text, b->text);
}

void user_access_warn(const char *code, struct position pos, const char *function,
		      const char *fmt, ...)
{
	struct warning *warning = zalloc(sizeof(*warning));
	char buf[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(buf, sizeof(buf), fmt, args);
	va_end(args);
	warning->code = code;
	warning->pos = pos;
	warning->function = function;
	warning->text = alloc_string(buf);
	warning->next = warnings;
	warnings = warning;
}

/* One line for each place and code: a block copy is a dozen accesses. */
static void print_warnings(void)
{
	struct warning *warning, **list;
	int i, nr = 0;

	for (warning = warnings; warning; warning = warning->next)
		nr++;
	list = zalloc((nr + 1) * sizeof(*list));
	for (i = 0, warning = warnings; warning; warning = warning->next)
		list[i++] = warning;
	qsort(list, nr, sizeof(*list), by_place);
	for (i = 0; i < nr; i++) {
		warning = list[i];
		if (i && list[i - 1]->pos.stream == warning->pos.stream &&
		    list[i - 1]->pos.line == warning->pos.line &&
		    strcmp(list[i - 1]->code, warning->code) == 0)
			continue;
		fprintf(sm_outfd, "%s:%d %s() warn: %s %s\n", stream_name(warning->pos.stream),
			warning->pos.line, warning->function, warning->code, warning->text);
		sm_nr_checks++;
	}
	free(list);
}

static void match_end_file(struct symbol_list *sym_list)
{
	struct user_window closed = { .kind = WINDOW_CLOSED };
	struct function *fn, *callee;
	struct sighting *sighting;
	struct edge *edge;

	for (fn = functions; fn; fn = fn->next) {
		for (edge = fn->edges; edge; edge = edge->next)
			get_function_info(edge->callee)->called = true;
	}
	for (edge = edges; edge; edge = edge->next) {
		callee = get_function_info(edge->callee);
		callee->called = true;
		if (window_is_open(edge->window))
			mark_called_open(callee);
	}

	for (sighting = sightings; sighting; sighting = sighting->next)
		see_sighting(sighting);
	for (edge = edges; edge; edge = edge->next) {
		visits++;
		see_call(edge, edge->window, NULL);
	}
	for (fn = functions; fn; fn = fn->next) {
		if (!fn->defined || fn->is_inline || (fn->is_static && fn->called))
			continue;
		visits++;
		see_function(fn, &know(closed)->window, NULL);
	}
	print_warnings();
}

void register_user_access(int id)
{
	int i;

	my_id = id;
	set_dynamic_states(my_id);

	if (option_project != PROJ_KERNEL)
		return;

	add_hook(&match_function_start, AFTER_DEF_HOOK);
	add_hook(&match_stmt, STMT_HOOK);
	add_hook(&leave_scope, STMT_HOOK_AFTER);
	add_hook(&after_masked_test, STMT_HOOK_AFTER);
	add_hook(&match_dead_label, STMT_HOOK_AFTER);
	add_hook(&match_call, FUNCTION_CALL_HOOK);
	add_hook(&match_condition, CONDITION_HOOK);
	for (i = 0; i < ARRAY_SIZE(tested_begins); i++) {
		return_implies_state(tested_begins[i], 1, 1, &match_begin_worked, NULL);
		return_implies_state(tested_begins[i], 0, 0, &match_begin_failed, NULL);
	}
	add_hook(&match_return, RETURN_HOOK);
	add_hook(&match_inline_start, INLINE_FN_START);
	add_hook(&match_inline_end, INLINE_FN_END);
	add_split_return_callback(&match_return_state);
	select_return_states_hook(USER_WINDOW, &select_return_state);
	add_hook(&match_end_file, END_FILE_HOOK);
}
