// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The window as a smatch state, and the windows possible at a point of a path.
 */

#include "smatch.h"
#include "smatch_slist.h"
#include "user_access_flow.h"

#define STATE_NAME "user access"

struct known_window {
	struct user_window window;
	struct smatch_state state;
	struct known_window *next;
};

struct known_helper {
	struct user_helper helper;
	struct known_helper *next;
};

static int my_id;
static struct known_window *known_windows;
static struct known_helper *known_helpers;

void window_states(int id)
{
	my_id = id;
	set_dynamic_states(my_id);
}

static bool same_window(const struct user_window *a, const struct user_window *b)
{
	return a->kind == b->kind && a->may == b->may && a->scoped == b->scoped &&
	       a->saved == b->saved && a->via == b->via && a->used == b->used &&
	       a->helpers == b->helpers && positions_eq(a->pos, b->pos);
}

/* One struct per content: smatch compares states by address. */
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
	known = uaccess_zalloc(sizeof(*known));
	known->window = window;
	snprintf(buf, sizeof(buf), "%s%s %s line %d", window.saved ? "saved " : "",
		 kinds[window.kind], directions(window.may), window.pos.line);
	known->state.name = alloc_string(buf);
	known->state.data = &known->window;
	known->next = known_windows;
	known_windows = known;
	return known;
}

static const struct user_helper *add_helper(const struct user_helper *rest, const char *name)
{
	struct known_helper *known;
	const struct user_helper *tmp;

	for (tmp = rest; tmp; tmp = tmp->rest) {
		if (strcmp(tmp->name, name) == 0)
			return rest;
	}
	for (known = known_helpers; known; known = known->next) {
		if (known->helper.rest == rest && strcmp(known->helper.name, name) == 0)
			return &known->helper;
	}
	known = uaccess_zalloc(sizeof(*known));
	known->helper.name = alloc_string(name);
	known->helper.rest = rest;
	known->next = known_helpers;
	known_helpers = known;
	return &known->helper;
}

void window_set(struct user_window window)
{
	if (__path_is_null())
		return;
	set_state(my_id, STATE_NAME, NULL, &know(window)->state);
}

void window_set_kind(enum user_window_kind kind)
{
	window_set((struct user_window) { .kind = kind });
}

struct sm_state *window_sm_state(void)
{
	return get_sm_state(my_id, STATE_NAME, NULL);
}

/* Set the windows for a true and a false condition. */
void window_set_kind_if(bool is_true, enum user_window_kind kind)
{
	struct user_window window = { .kind = kind };
	struct smatch_state *state = &know(window)->state;

	set_true_false_states(my_id, STATE_NAME, NULL, is_true ? state : NULL,
			      is_true ? NULL : state);
}

/* Set a window where a condition has this value, and what else is possible where it has not. */
void window_set_if(bool is_true, const struct user_window *window)
{
	struct sm_state *sm = window_sm_state(), *tmp;
	struct smatch_state *own = &know(*window)->state, *other = NULL;

	FOR_EACH_PTR(sm->possible, tmp) {
		if (tmp->state == own || tmp->state == &merged || tmp->state == &undefined)
			continue;
		if (other && other != tmp->state)
			other = &know((struct user_window) { .kind = WINDOW_UNKNOWN })->state;
		else
			other = tmp->state;
	} END_FOR_EACH_PTR(tmp);
	set_true_false_states(my_id, STATE_NAME, NULL, is_true ? own : other, is_true ? other : own);
}

/*
 * The windows possible here, each once.  A goto out of a scope closes its window, but the flow
 * engine calls cleanup functions only at the end of a block and at a return.  So count a scope as
 * closed once the current statement is outside it.
 */
int window_possible(const struct user_window **list)
{
	const struct user_window *window;
	struct sm_state *sm, *tmp;
	int i, nr = 0;

	if (__path_is_null())
		return 0;
	sm = window_sm_state();
	if (!sm)
		return 0;
	FOR_EACH_PTR(sm->possible, tmp) {
		window = tmp->state->data;
		if (tmp->state == &merged || tmp->state == &undefined || !window)
			continue;
		if (window->scoped && window->kind == WINDOW_OPEN && !scope_contains(window->pos))
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

/* The windows of scopes that are left are closed from here on, wherever the path goes. */
void window_left(void)
{
	const struct user_window *list[MAX_WINDOWS];
	struct sm_state *sm = window_sm_state(), *tmp, *closed = NULL;
	bool changed = false;
	int i, nr = window_possible(list);

	if (!nr)
		return;
	FOR_EACH_PTR(sm->possible, tmp) {
		const struct user_window *window = tmp->state->data;

		changed |= tmp->state != &merged && tmp->state != &undefined && window &&
			   window->scoped && window->kind == WINDOW_OPEN &&
			   !scope_contains(window->pos);
	} END_FOR_EACH_PTR(tmp);
	for (i = 0; changed && i < nr; i++) {
		window_set(*list[i]);
		closed = closed ? merge_sm_states(closed, window_sm_state()) : window_sm_state();
	}
	if (closed)
		__set_sm(closed);
}

/*
 * Record an access, or a call to a helper that may make some.  Only windows without a flavour need
 * this: any end that fits the accesses may end them.
 */
void window_use(int may, const char *helper)
{
	const struct user_window *list[MAX_WINDOWS];
	struct sm_state *sm = NULL;
	struct user_window window;
	bool changed = false;
	int i, nr;

	nr = window_possible(list);
	for (i = 0; i < nr; i++) {
		if (!window_is_open(list[i]))
			return;
		if (!list[i]->may && !list[i]->scoped)
			changed = true;
	}
	if (!changed)
		return;
	for (i = 0; i < nr; i++) {
		window = *list[i];
		if (!window.may && !window.scoped) {
			window.used |= may;
			if (helper)
				window.helpers = add_helper(window.helpers, helper);
		}
		window_set(window);
		sm = sm ? merge_sm_states(sm, window_sm_state()) : window_sm_state();
	}
	__set_sm(sm);
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

bool window_possibly_open(void)
{
	const struct user_window *list[MAX_WINDOWS];
	int i, nr = window_possible(list);

	for (i = 0; i < nr; i++) {
		if (window_is_open(list[i]))
			return true;
	}
	return false;
}
