// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Record events and their windows until the end of the file.
 *
 * Events and calls in the window of a function's caller are kept with the function, all others in
 * global lists.
 */

#include "smatch.h"
#include "smatch_extra.h"
#include "smatch_slist.h"
#include "user_access_flow.h"

#define NR_BUCKETS 4096

struct user_function *user_functions;
struct user_sighting *user_sightings;
struct user_edge *user_edges;

static struct user_function *buckets[NR_BUCKETS];

struct user_function *get_user_function(const char *name)
{
	unsigned int hash = 5381;
	const char *c;
	struct user_function *fn;

	for (c = name; *c; c++)
		hash = hash * 33 + *c;
	hash %= NR_BUCKETS;
	for (fn = buckets[hash]; fn; fn = fn->same_bucket) {
		if (strcmp(fn->name, name) == 0)
			return fn;
	}
	fn = uaccess_zalloc(sizeof(*fn));
	fn->name = alloc_string(name);
	fn->same_bucket = buckets[hash];
	buckets[hash] = fn;
	fn->used = -1;
	fn->next = user_functions;
	user_functions = fn;
	return fn;
}

struct user_function *this_user_function(void)
{
	static struct user_function *last;
	char *name = get_function();

	if (!name)
		return NULL;
	if (!last || strcmp(last->name, name) != 0)
		last = get_user_function(name);
	return last;
}

bool in_user_access_half(void)
{
	return uaccess_is_half(get_function());
}

static void add_sighting(struct user_sighting **list, const struct user_access_event *event,
			 const struct user_window *window)
{
	struct user_sighting *sighting = uaccess_zalloc(sizeof(*sighting));

	sighting->event = *event;
	sighting->window = window;
	sighting->next = *list;
	*list = sighting;
}

/* Is a number that the function was given known here, by a test or from the caller? */
static bool knows_parameter(void)
{
	struct symbol *arg;
	struct range_list *rl;

	FOR_EACH_PTR(cur_func_sym->ctype.base_type->arguments, arg) {
		if (!arg->ident || type_is_ptr(get_real_base_type(arg)))
			continue;
		if (get_implied_rl(symbol_expression(arg), &rl) && !is_whole_rl(rl))
			return true;
	} END_FOR_EACH_PTR(arg);
	return false;
}

void user_access_happens(struct user_access_event event)
{
	const struct user_window *list[MAX_WINDOWS];
	struct user_function *fn = this_user_function();
	int i, j, nr;

	if (!final_pass || !fn || is_impossible_path())
		return;
	event.function = fn->name;
	event.conditional = knows_parameter();
	nr = window_possible(list);
	if (event.type == USER_BEGIN_DROPPED && nr) {
		/* A bug in whatever window. */
		add_sighting(&user_sightings, &event, list[0]);
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
		add_sighting(&user_sightings, &event, list[i]);
	}
}

void add_user_edge(const char *callee, struct position pos)
{
	const struct user_window *list[MAX_WINDOWS];
	struct user_function *fn = this_user_function();
	struct user_edge *edge, **head;
	int i, nr;

	if (!final_pass || !fn || is_impossible_path())
		return;
	nr = window_possible(list);
	for (i = 0; i < nr; i++) {
		if (list[i]->kind == WINDOW_UNKNOWN || list[i]->saved)
			continue;
		head = list[i]->kind == WINDOW_ENTRY ? &fn->edges : &user_edges;
		edge = uaccess_zalloc(sizeof(*edge));
		edge->caller = fn;
		edge->callee = alloc_string(callee);
		edge->pos = pos;
		edge->window = list[i];
		edge->next = *head;
		*head = edge;
	}
}
