// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Update the window on begins, ends, accesses, saves and restores.
 */

#include "smatch.h"
#include "smatch_extra.h"
#include "smatch_slist.h"
#include "user_access_flow.h"

void window_begin(struct position pos, int may)
{
	const struct user_window *list[MAX_WINDOWS];
	int i, nr, nr_open = 0;

	nr = window_possible(list);
	for (i = 0; i < nr; i++)
		nr_open += list[i]->kind == WINDOW_OPEN || list[i]->kind == WINDOW_UNKNOWN;
	if (nr && nr_open == nr) {
		/* Reported as nested; the first end closes both. */
		window_set_kind(WINDOW_UNKNOWN);
		return;
	}
	condition_begin(pos);
	window_set((struct user_window) {
		.kind = WINDOW_OPEN,
		.may = may,
		.pos = pos,
		.scoped = uaccess_scope_at(pos),
	});
}

/* Is it the argument of another function?  What that one does with it is not followed. */
static bool is_argument(struct expression *assign)
{
	char *name = assign ? expr_to_var(assign->left) : NULL;

	return name && uaccess_has_prefix(name, "__fake_param_");
}

void window_begin_worked(const char *fn, struct expression *call, struct expression *assign,
			       void *unused)
{
	int may;

	if (in_user_access_half() || !uaccess_begin_at(uaccess_call_pos(call), fn, &may))
		return;
	if (is_argument(assign)) {
		window_set_kind(WINDOW_UNKNOWN);
		return;
	}
	window_begin(uaccess_call_pos(call), may);
}

void window_begin_failed(const char *fn, struct expression *call, struct expression *assign,
			       void *unused)
{
	const struct user_window *list[MAX_WINDOWS];
	struct statement *stmt = get_parent_stmt(call);
	int i, nr, may;

	if (in_user_access_half() || !uaccess_begin_at(uaccess_call_pos(call), fn, &may))
		return;
	if (is_argument(assign)) {
		window_set_kind(WINDOW_UNKNOWN);
		return;
	}
	nr = window_possible(list);
	for (i = 0; i < nr; i++) {
		if (list[i]->kind != WINDOW_OPEN && list[i]->kind != WINDOW_UNKNOWN)
			continue;
		/* smatch evaluates the condition of "return begin ? 0 : -EFAULT" twice. */
		if (stmt && stmt->type == STMT_RETURN &&
		    positions_eq(list[i]->pos, uaccess_call_pos(call)))
			continue;
		/* The outer window is still open. */
		window_set(*list[i]);
		return;
	}
	window_set((struct user_window) {
		.kind = WINDOW_FAILED, .may = may, .pos = uaccess_call_pos(call),
	});
}

void window_end(struct position pos, const char *name, int may, bool cleanup)
{
	const struct user_window *list[MAX_WINDOWS];
	struct user_window ended = { .kind = WINDOW_CLOSED };
	int i, nr, nr_unknown = 0;
	struct user_function *fn;

	if (__path_is_null())
		return;
	if (!cleanup)
		user_access_happens((struct user_access_event) {
			.type = USER_END, .name = name, .pos = pos, .may = may,
		});
	nr = window_possible(list);
	fn = this_user_function();
	for (i = 0; i < nr; i++) {
		if (list[i]->kind == WINDOW_UNKNOWN ||
		    (list[i]->kind == WINDOW_OPEN && list[i]->scoped && !cleanup))
			nr_unknown++;
		if (list[i]->kind == WINDOW_OPEN)
			ended.pos = list[i]->pos;
		if (list[i]->kind == WINDOW_OPEN && list[i]->via)
			get_user_function(list[i]->via)->consumed = true;
		if (fn && list[i]->kind == WINDOW_ENTRY)
			fn->ends_entry = true;
	}
	if (fn && !cleanup)
		fn->ends = true;
	if (nr_unknown && nr_unknown == nr)
		ended = (struct user_window) { .kind = WINDOW_UNKNOWN };
	window_set(ended);
}

void window_save(void)
{
	const struct user_window *list[MAX_WINDOWS];
	struct user_window window = { .kind = WINDOW_UNKNOWN };

	if (window_possible(list) == 1)
		window = *list[0];
	window.saved = true;
	window_set(window);
}

void window_restore(void)
{
	const struct user_window *list[MAX_WINDOWS];
	struct user_window window = { .kind = WINDOW_UNKNOWN };

	if (window_possible(list) == 1)
		window = *list[0];
	window.saved = false;
	window_set(window);
}

/* A begin whose result was not tested and did not fail: the window is open. */
static void assume_it_worked(void)
{
	const struct user_window *list[MAX_WINDOWS];
	const struct user_window *opened = NULL;
	bool untested = false;
	int i, j, nr;

	nr = window_possible(list);
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
		window_set(*opened);
}

void window_access(struct position pos, const char *name, int may)
{
	user_access_happens((struct user_access_event) {
		.type = USER_ACCESS, .name = name, .pos = pos, .may = may,
	});
	assume_it_worked();
	window_use(may, NULL);
}
