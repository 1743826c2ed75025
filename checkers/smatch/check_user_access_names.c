// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is written at a position: a begin, an end, an access, and in which direction.
 *
 * All the accessors are macros around inline assembly, so they are told by the macros that were
 * expanded at the position of a statement or call, not by the function that is called in the
 * end: that is clac() on x86, prevent_user_access() on powerpc, and so on.  Sparse gives
 * everything that a macro expands to the position of its invocation.  The one doubt is a macro
 * that opens in one flavour and ends in another: then the flavour is not known and not checked.
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

struct position uaccess_call_pos(struct expression *call)
{
	return call->fn ? call->fn->pos : call->pos;
}

/* A kernel with one masked begin for all directions ends it as it was used. */
static bool has_masked_flavours(void)
{
	return lookup_symbol(built_in_ident("masked_user_read_access_begin"), NS_MACRO);
}

const char *uaccess_begin_at(struct position pos, const char *fn, int *may)
{
	const char *name = outer_in_table(pos, begin_names, ARRAY_SIZE(begin_names), may);

	if (!name)
		name = name_in_table(fn, begin_names, ARRAY_SIZE(begin_names), may);
	if (name && strcmp(name, "masked_user_access_begin") == 0 && !has_masked_flavours())
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
 * The arguments of a macro have its position as well, so what is called there is the accessor's
 * own or stands in an argument.
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

bool uaccess_is_safe(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(safe_prefixes); i++) {
		if (uaccess_has_prefix(name, safe_prefixes[i]))
			return true;
	}
	return is_in(name, safe_calls) || uaccess_is_half(name);
}

/* Whether anything of a window is written there. */
bool uaccess_mentioned_at(struct position pos)
{
	int may;

	return uaccess_scope_at(pos) || uaccess_begin_at(pos, NULL, &may) ||
	       uaccess_end_at(pos, NULL, &may) || uaccess_access_at(pos, &may);
}

/* Likewise of a function's name.  Every accessor of x86 has a stac() somewhere. */
bool uaccess_is_mentioned(const char *name)
{
	return strcmp(name, "stac") != 0 && strcmp(name, "clac") != 0 && uaccess_is_half(name);
}
