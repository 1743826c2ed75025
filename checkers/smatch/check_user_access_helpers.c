// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * At the end of the file, judge what helpers did by the windows of their callers.
 *
 * A function starts in the state of its caller (WINDOW_ENTRY).  The events recorded in that state
 * are replayed here for each caller.  This handles helpers that run in an open window and helpers
 * that return with one.  A function that is neither inline nor called in its file starts closed:
 * no out-of-line call is made with user access open.
 */

#include "smatch.h"
#include "smatch_slist.h"
#include "user_access_flow.h"

static unsigned int visits;

static struct user_function *defined_function(const char *name)
{
	struct user_function *fn = get_user_function(name);

	return fn->defined ? fn : NULL;
}

/* Does it access user memory in its caller's window? */
static bool is_guest(struct user_function *fn)
{
	struct user_sighting *sighting;
	struct user_function *callee;
	struct user_edge *edge;

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

/* Does it access user memory in, or end, its caller's window? */
static bool touches_window(struct user_function *fn)
{
	struct user_sighting *sighting;
	struct user_function *callee;
	struct user_edge *edge;

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

static int used_by(struct user_function *fn)
{
	struct user_sighting *sighting;
	struct user_function *callee;
	struct user_edge *edge;

	if (fn->used != -1)
		return fn->used;
	fn->used = 0;
	for (sighting = fn->entry; sighting; sighting = sighting->next) {
		if (sighting->event.type == USER_ACCESS)
			fn->used |= sighting->event.may;
	}
	for (edge = fn->edges; edge; edge = edge->next) {
		callee = defined_function(edge->callee);
		if (callee)
			fn->used |= used_by(callee);
	}
	return fn->used;
}

/* The directions of all accesses in a window, including those of the helpers called there. */
int window_used(const struct user_window *window)
{
	const struct user_helper *helper;
	struct user_function *fn;
	int used = window->used;

	for (helper = window->helpers; helper; helper = helper->rest) {
		fn = defined_function(helper->name);
		if (fn)
			used |= used_by(fn);
	}
	return used;
}

/*
 * Report at the call, not in the callee?  Only a helper written to run in windows is blamed itself;
 * any other function should not have been called, and a header's helper is never blamed.
 */
static bool blame_call(struct user_function *caller, struct user_function *callee)
{
	if (!is_guest(callee))
		return true;
	return callee->stream != caller->stream && callee->called_open && !callee->ends_entry;
}

/* May the compiler inline it?  If it does not, that is UW07. */
static bool may_be_inlined(struct user_function *fn)
{
	return fn->is_inline || (fn->is_static && !fn->is_noinline);
}

static void see_call(const struct user_edge *edge, const struct user_window *window,
		     const struct user_edge *blamed);

static void see_function(struct user_function *fn, const struct user_window *window,
			 const struct user_edge *blamed)
{
	struct user_access_event event;
	struct user_sighting *sighting;
	struct user_edge *edge;

	if (fn->visit == visits)
		return;
	fn->visit = visits;
	if (!window_is_open(window) && !touches_window(fn))
		return;
	/* It ends a window, but no caller ever has one: its own begin is missing. */
	if (fn->ends_entry && !fn->called_open)
		blamed = NULL;
	for (sighting = fn->entry; sighting; sighting = sighting->next) {
		event = sighting->event;
		/* What it was given may tell it whether the window is open. */
		if (event.conditional && fn->called_open && fn->called_closed)
			continue;
		if (blamed) {
			event.pos = blamed->pos;
			event.function = blamed->caller->name;
			if (event.type == USER_CALL || event.type == USER_SLEEP)
				event.name = blamed->callee;
		}
		tell_user_access(&event, window);
	}
	for (edge = fn->edges; edge; edge = edge->next)
		see_call(edge, window, blamed);
}

static void see_call(const struct user_edge *edge, const struct user_window *window,
		     const struct user_edge *blamed)
{
	struct user_function *callee = defined_function(edge->callee);
	struct user_access_event event = {
		.type = USER_CALL,
		.name = edge->callee,
		.function = edge->caller->name,
		.pos = edge->pos,
	};

	/* Not parsed: smatch skips header inlines that are never called. */
	if (!callee)
		return;
	if (!may_be_inlined(callee) && window_is_open(window) && !is_guest(callee)) {
		if (blamed) {
			event.pos = blamed->pos;
			event.function = blamed->caller->name;
		}
		tell_user_access(&event, window);
		return;
	}
	if (!blamed && blame_call(edge->caller, callee))
		blamed = edge;
	see_function(callee, window, blamed);
}

static void mark_called_open(struct user_function *fn)
{
	struct user_function *callee;
	struct user_edge *edge;

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
 * Does it return with a window open on purpose?  So it is taken if it is inline or static, has no
 * end, and a caller ends the window.
 */
static bool is_opener(const char *name)
{
	struct user_function *fn = get_user_function(name);
	struct user_function *caller;
	struct user_edge *edge;

	if (fn->ends || (!fn->is_inline && !fn->is_static))
		return false;
	if (fn->consumed)
		return true;
	/* Too large for smatch to inline: trust any caller that ends a window it did not open. */
	for (edge = user_edges; edge; edge = edge->next) {
		if (strcmp(edge->callee, name) == 0 && edge->caller->ends_entry)
			return true;
	}
	for (caller = user_functions; caller; caller = caller->next) {
		for (edge = caller->edges; edge; edge = edge->next) {
			if (strcmp(edge->callee, name) == 0 && caller->ends_entry)
				return true;
		}
	}
	return false;
}

static void see_sighting(const struct user_sighting *sighting)
{
	if (sighting->event.type == USER_RETURN) {
		if (is_opener(sighting->event.function))
			return;
		/* Reported in the helper, which should not have left it open. */
		if (sighting->window->via && !is_opener(sighting->window->via))
			return;
	}
	tell_user_access(&sighting->event, sighting->window);
}

void helpers_end_file(struct symbol_list *sym_list)
{
	struct user_window closed = { .kind = WINDOW_CLOSED };
	struct user_function *fn, *callee;
	struct user_sighting *sighting;
	struct user_edge *edge;

	for (fn = user_functions; fn; fn = fn->next) {
		for (edge = fn->edges; edge; edge = edge->next) {
			callee = get_user_function(edge->callee);
			callee->called = true;
			callee->called_closed |= !fn->is_inline;
		}
	}
	for (edge = user_edges; edge; edge = edge->next) {
		callee = get_user_function(edge->callee);
		callee->called = true;
		if (window_is_open(edge->window))
			mark_called_open(callee);
		else
			callee->called_closed = true;
	}

	for (sighting = user_sightings; sighting; sighting = sighting->next)
		see_sighting(sighting);
	for (edge = user_edges; edge; edge = edge->next) {
		visits++;
		see_call(edge, edge->window, NULL);
	}
	for (fn = user_functions; fn; fn = fn->next) {
		if (!fn->defined || fn->is_inline || (fn->is_static && fn->called))
			continue;
		visits++;
		see_function(fn, &closed, NULL);
	}
	print_user_access_warnings();
}
