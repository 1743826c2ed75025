// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recognize begins, ends and accesses at a position, and their directions.
 *
 * Accessors are macros around inline assembly, so they are recognized by the macros expanded at
 * the position of a statement or call, not by the function finally called, which is clac() on x86,
 * prevent_user_access() on powerpc, and so on.  Sparse gives everything in a macro's expansion the
 * position of its invocation.  The flavour is unknown, and not checked, if one macro opens in one
 * flavour and ends in another.
 *
 * The names themselves are in user_access_names.h.
 */

#include "smatch.h"
#include "user_access_flow.h"
#include "user_access_names.h"

bool uaccess_in_names(const char *name, const char *const *list, int nr)
{
	int i;

	for (i = 0; name && i < nr; i++) {
		if (strcmp(name, list[i]) == 0)
			return true;
	}
	return false;
}

bool uaccess_has_prefix(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

bool uaccess_has_macro(struct position pos, const char *const *list, int nr)
{
	char *macro;

	FOR_EACH_PTR(get_all_macros(pos), macro) {
		if (uaccess_in_names(macro, list, nr))
			return true;
	} END_FOR_EACH_PTR(macro);
	return false;
}

/*
 * The first name of a table among the macros at a position.  *may is 0 if several of them match
 * and differ in direction.
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

/* user_write_access_begin() expands to user_access_begin() on most: the outer macro counts. */
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

struct position uaccess_call_pos(struct expression *call)
{
	return call->fn ? call->fn->pos : call->pos;
}

static bool is_defined(const char *name)
{
	return lookup_symbol(built_in_ident(name), NS_MACRO);
}

const char *uaccess_begin_at(struct position pos, const char *fn, int *may)
{
	const char *name = outer_in_table(pos, begin_names, ARRAY_SIZE(begin_names), may);

	if (!name)
		name = name_in_table(fn, begin_names, ARRAY_SIZE(begin_names), may);
	/* In a kernel with a single masked begin, the end must fit the accesses made. */
	if (name && strcmp(name, "masked_user_access_begin") == 0 &&
	    !is_defined("masked_user_read_access_begin"))
		*may = 0;
	return name;
}

const char *uaccess_end_at(struct position pos, const char *fn, int *may)
{
	const char *name = outer_in_table(pos, end_names, ARRAY_SIZE(end_names), may);

	return name ?: name_in_table(fn, end_names, ARRAY_SIZE(end_names), may);
}

bool uaccess_scope_at(struct position pos)
{
	static const char *const scope[] = { "__scoped_user_access" };

	return uaccess_has_macro(pos, scope, ARRAY_SIZE(scope));
}

const char *uaccess_scope_end(const char *name, int *may)
{
	return name_in_table(name, scope_end_names, ARRAY_SIZE(scope_end_names), may);
}

const char *uaccess_access_at(struct position pos, int *may)
{
	return macro_in_table(pos, access_names, ARRAY_SIZE(access_names), may);
}

bool uaccess_may_sleep(const char *name)
{
	int i;

	for (i = 0; name && i < ARRAY_SIZE(sleeps); i++) {
		if (!uaccess_has_prefix(name, sleeps[i]))
			continue;
		if (!name[strlen(sleeps[i])] || name[strlen(sleeps[i])] == '_')
			return true;
	}
	return false;
}

const char *uaccess_sleeping_macro(struct position pos)
{
	char *macro;

	FOR_EACH_PTR(get_all_macros(pos), macro) {
		if (uaccess_may_sleep(macro))
			return macro;
	} END_FOR_EACH_PTR(macro);
	return NULL;
}

const char *uaccess_opening_macro(struct position pos)
{
	char *macro;

	FOR_EACH_PTR(get_all_macros(pos), macro) {
		if (is_in(macro, opens))
			return macro;
	} END_FOR_EACH_PTR(macro);
	return NULL;
}

/*
 * A macro's arguments have its position too: a call there is the accessor's own or is in one of
 * its arguments.
 */
bool uaccess_is_part(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(access_parts); i++) {
		if (uaccess_has_prefix(name, access_parts[i]))
			return true;
	}
	return false;
}

bool uaccess_is_half(const char *name)
{
	return is_in(name, halves);
}

/*
 * The string function that a name or its builtin stands for.  On i386 the builtins of memcpy() and
 * memset() are instructions for any size.
 */
const char *uaccess_copy(const char *name)
{
	if (name && uaccess_has_prefix(name, "__builtin_") && !is_defined("__i386__"))
		name += strlen("__builtin_");
	return is_in(name, copies) ? name : NULL;
}

/* Is it a size for which compilers expand a string function?  See hotcocci/windows/copies.py. */
bool uaccess_is_small(struct expression *size)
{
	sval_t sval;

	return size && get_implied_value(size, &sval) &&
	       sval.uvalue <= (is_defined("__powerpc__") ? 64 : 256);
}

bool uaccess_is_fortify_part(const char *name, struct position pos)
{
	return is_in(name, fortify_parts) && uaccess_has_macro(pos, copies, ARRAY_SIZE(copies));
}

bool uaccess_is_safe(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(safe_prefixes); i++) {
		if (uaccess_has_prefix(name, safe_prefixes[i]))
			return true;
	}
	return is_in(name, safe_calls) || uaccess_is_half(name);
}

/* Is any part of a window at this position? */
bool uaccess_mentioned_at(struct position pos)
{
	int may;

	return uaccess_scope_at(pos) || uaccess_begin_at(pos, NULL, &may) ||
	       uaccess_end_at(pos, NULL, &may) || uaccess_access_at(pos, &may);
}

/* The same for a function's name.  stac() and clac() do not count: all x86 accessors have them. */
bool uaccess_is_mentioned(const char *name)
{
	return strcmp(name, "stac") != 0 && strcmp(name, "clac") != 0 && uaccess_is_half(name);
}
