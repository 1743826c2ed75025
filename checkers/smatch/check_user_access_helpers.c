// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The end of the file: what helpers did, seen from where they were called.
 *
 * A function starts in the state that its caller left it in (WINDOW_ENTRY).  What it does in that
 * state is seen from each of its callers here.  Helpers that are meant to run in an open window,
 * and those that return with one open, come out right that way.  A function that is not inline
 * can't be called with a window open by anybody, so if there is no caller in the file it starts
 * closed.
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

/* It accesses user memory in the window of its caller. */
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

/* It makes a difference to it whether a window is closed. */
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

/* The directions of all that was done in a window without a flavour. */
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
 * A helper that was written to run in windows is at fault itself for what it does there, any other
 * function should not have been called.  The headers' helpers are never at fault.
 */
static bool blame_call(struct user_function *caller, struct user_function *callee)
{
	if (!is_guest(callee))
		return true;
	return callee->stream != caller->stream && callee->called_open && !callee->ends_entry;
}

/* Whether the compiler inlines it is its choice then, and a matter of UW07. */
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

	/* Not parsed, as smatch parses no inline of a header that is never called. */
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
 * It has no end, can be inlined, and some caller ends what it opened: then it returns with the
 * window open on purpose.
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
	/* Too large for smatch to look through: believe a caller that has an end. */
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
		/* The helper should not have returned with it open: reported there. */
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
		for (edge = fn->edges; edge; edge = edge->next)
			get_user_function(edge->callee)->called = true;
	}
	for (edge = user_edges; edge; edge = edge->next) {
		callee = get_user_function(edge->callee);
		callee->called = true;
		if (window_is_open(edge->window))
			mark_called_open(callee);
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
