// SPDX-License-Identifier: GPL-2.0
/* What initialisers and assignments put into slots, tables of ioctls, and arrays of functions. */
#include "reader.h"

struct tables tables;
struct buffer slots, rows;

/* The name that a slot is set to, given what follows the slot; empty if the value is more than a name. */
static struct text value_of(const char *c, const char *end)
{
	struct text value = { c, c };
	const char *after;

	c = spaces(c, end);
	if (!has(c, end, '='))
		return value;
	c = spaces(c + 1, end);
	c += has(c, end, '&');
	if (c == end || !is_word(*c) || is_digit(*c))
		return value;
	value = word(c, end);
	after = spaces(value.end, end);
	if ((after < end && strchr(",;}", *after)) || memchr(value.end, '\n', after - value.end))
		return value;
	return (struct text){ c, c };
}

static bool is_constant(struct text name)
{
	bool found = false;

	for (const char *c = name.at; c < name.end; c++) {
		if (is_lower(*c))
			return false;
		found |= is_upper(*c);
	}
	return found;
}

/* The brace of an initialiser, if "struct " begins one; and the kind of the structure. */
static const char *initialiser(const char *c, const char *end, struct text *kind)
{
	struct text name;

	end = end - c > HEAD ? c + HEAD : end;
	*kind = word(c, end);
	c = kind->end;
	if (!length(*kind) || !has(c, end, ' '))
		return NULL;
	c += 1 + has(c + 1, end, '*');
	name = word(c, end);
	if (!length(name))
		return NULL;
	for (c = name.end; has(spaces(c, end), end, '['); c++) {
		c = memchr(c, ']', end - c);
		if (!c)
			return NULL;
	}
	while (c < end && !strchr("=;{}()", *c))
		c++;
	if (!has(c, end, '='))
		return NULL;
	c = spaces(c + 1, end);
	return has(c, end, '{') ? c : NULL;
}

/* Add what initialisers put into slots. */
void read_slots(struct text chunk)
{
	struct text kind = { chunk.at, chunk.at }, next = kind;
	const char *c = chunk.at, *brace = NULL;

	for (const char *dot = c; (dot = memchr(dot, '.', chunk.end - dot)); dot++) {
		struct text slot = word(dot + 1, chunk.end), value = value_of(slot.end, chunk.end);

		if (!length(slot) || !length(value) || is_constant(value))
			continue;
		/* The last initialiser before it. */
		while (!brace || brace < dot) {
			kind = brace ? next : kind;
			c = find((struct text){ brace ? brace : c, chunk.end }, "struct ");
			if (!c) {
				brace = chunk.end;
				break;
			}
			c += strlen("struct ");
			brace = initialiser(c, chunk.end, &next);
		}
		say(&slots, " %.*s.%.*s.%.*s", TEXT(kind), TEXT(slot), TEXT(value));
	}
}

/* Add the commands and functions of a table of ioctls. */
void read_rows(struct text chunk)
{
	for (const char *c = chunk.at; (c = memchr(c, '(', chunk.end - c));) {
		struct text command = word(++c, chunk.end), function;
		const char *after = spaces(command.end, chunk.end), *known_as;

		if (length(command) < 2 || !is_upper(*c) || !is_constant(command) || !has(after, chunk.end, ','))
			continue;
		after = spaces(after + 1, chunk.end);
		function = word(after + has(after, chunk.end, '&'), chunk.end);
		after = spaces(function.end, chunk.end);
		if (!length(function) || !(is_lower(*function.at) || *function.at == '_') ||
		    !(has(after, chunk.end, ',') || has(after, chunk.end, ')')))
			continue;
		known_as = command_word(command);
		say(&rows, " %s.%.*s", known_as ? known_as : "", TEXT(function));
	}
}

/* The first element of an array, given the bracket that closes its size or an index; NULL if there is none. */
static const char *first_element(const char *c, const char *end)
{
	c = spaces(c + 1, end);
	if (has(c, end, ')'))
		c = spaces(c + 1, end);
	if (has(c, end, '(')) {
		for (c++; c < end && !strchr("(){};", *c); c++)
			;
		if (!has(c, end, ')'))
			return NULL;
		c = spaces(c + 1, end);
	}
	if (!has(c, end, '='))
		return NULL;
	c = spaces(c + 1, end);
	return has(c, end, '{') ? c + 1 : NULL;
}

/* The name of an array, given the bracket that closes its size. */
static struct text array_name(const char *start, const char *c)
{
	const char *bracket;
	struct text name;

	start = c - start > HEAD ? c - HEAD : start;
	bracket = memrchr(start, ']', c - start);
	bracket = bracket ? bracket + 1 : start;
	name.end = memchr(bracket, '[', c - bracket);
	if (!name.end)
		return (struct text){ c, c };
	while (name.end > start && is_space(name.end[-1]))
		name.end--;
	for (name.at = name.end; name.at > start && is_word(name.at[-1]); name.at--)
		;
	return name;
}

/* Add the arrays that have functions of the file. */
void read_tables(struct text chunk)
{
	const char *next;

	for (const char *c = chunk.at; (c = memchr(c, ']', chunk.end - c)); c = next) {
		struct text name = array_name(chunk.at, c);
		struct table table = { .elements = elements.used };
		const char *inside = first_element(c, chunk.end);
		size_t i;

		next = inside ? inside : c + 1;
		if (!inside || !length(name))
			continue;
		next = find((struct text){ inside, chunk.end }, "};");
		next = next ? next : chunk.end;
		add_elements((struct text){ inside, next });
		table.end = elements.used;
		if (table.end == table.elements)
			continue;
		table.start = kept("", name, "[");
		for (i = 0; i < tables.used && !same(tables.at[i].start, table.start); i++)
			;
		if (i == tables.used)
			ADD(tables, table);
		tables.at[i] = table;
	}
}

/* Add the slots that a body sets to functions of the file. */
void read_assignments(struct text body)
{
	for (const char *c = body.at; c < body.end; c++) {
		struct text slot, value;
		unsigned int name;

		if (*c != '.' && !(*c == '>' && c > body.at && c[-1] == '-'))
			continue;
		slot = word(c + 1, body.end);
		value = value_of(slot.end, body.end);
		name = length(slot) && length(value) ? known(value) : 0;
		if (name && names.at[name].own)
			say(&slots, " .%.*s.%.*s", TEXT(slot), TEXT(value));
	}
}
