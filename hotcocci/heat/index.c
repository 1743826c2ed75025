// SPDX-License-Identifier: GPL-2.0
/*
 * What a file says of who calls whom: its functions, their calls, and who else may call them (see index.py).
 *
 * A tree has 740,000 functions in ten million lines, which took a third of the processor time of a first run
 * in Python.
 */
#include <math.h>

#include "reader.h"

struct function {
	unsigned int name;
	bool local, is_error;
	struct text body;
	/* What enters it: a macro, a table of ioctls, or __init. */
	const char *entry;
	/* Where its calls, and those under the label of a command, begin and end. */
	size_t calls, calls_end, commands, commands_end;
};

/* What the head of a function says. */
struct head {
	struct text name;
	const char *prefix, *entry;
	bool local;
};

static struct buffer code, registered, included, out;
static VECTOR(functions, struct function) functions;
static VECTOR(outside, struct text) outside;
static VECTOR(old, struct call) old;

static const char *const DISPATCHES[] = { DISPATCHED };
static const char *const DEFINES[] = { DEFINED };
/* Attributes with arguments that may precede the name of a function, or how they begin. */
static const char *const ATTRIBUTES[] = { "__attribute__", "__printf",	 "__scanf",    "__aligned",   "__section",
					  "__must_hold",   "__acquires", "__releases", "__alloc_size" };

/* Functions of a file */

/* What the macro that has the name of a function says. */
static void read_macro_of(struct text macro, struct head *head)
{
	const char *call = find(macro, "SYSCALL"), *end = macro.end - strlen("_DEFINEn");

	if (call && call + strlen("SYSCALL") <= end && starts(end, macro.end, "_DEFINE") && is_digit(macro.end[-1]))
		head->prefix = starts(macro.at, macro.end, "COMPAT_") ? "compat_sys_" : "sys_";
	else
		head->entry = AMONG(DEFINES, macro);
}

/* The part of a text that may be a head: what follows the last statement, without directives. */
static struct text head_in(struct text text)
{
	static const char *const ENDS[] = { ";\n", "}\n", "\n\n" };
	static char lines[HEAD];
	struct text head = text;
	char *to = lines;

	for (size_t i = 0; i < COUNT(ENDS); i++) {
		const char *end = find_last(text, ENDS[i]);

		head.at = end && end + 1 > head.at ? end + 1 : head.at;
	}
	if (!find(head, "\n#"))
		return head;
	for (struct text line = { head.at, NULL }; line.at < head.end; line.at = line.end) {
		line.end = line_end(line.at, head.end);
		line.end += line.end < head.end;
		if (*line.at == '#')
			continue;
		memcpy(to, line.at, length(line));
		to += length(line);
	}
	return (struct text){ lines, to };
}

static bool is_attribute(struct text name)
{
	for (size_t i = 0; i < COUNT(ATTRIBUTES); i++)
		if (starts(name.at, name.end, ATTRIBUTES[i]))
			return true;
	return false;
}

/* Read the head of the function whose body follows; false if it is none. */
static bool read_head(struct text text, struct head *head)
{
	text = head_in(text);
	*head = (struct head){ .prefix = "" };
	for EACH_WORD(w, text) {
		if (!has(w.end, text.end, '(') || !(find(w, "DEFINE") || find(w, "CALL")))
			continue;
		head->name = word(spaces(w.end + 1, text.end), text.end);
		if (!length(head->name))
			continue;
		read_macro_of(w, head);
		return true;
	}
	for EACH_WORD(w, text) {
		struct text before = { text.at, w.at };

		if (is_digit(*w.at) || !is_called(w, text.end) || is_attribute(w))
			continue;
		head->name = w;
		head->local = find(before, "static");
		head->entry = find(before, "__init") || find(before, "__exit") ? "__init" : NULL;
		return !is(w, "while") && !find(before, "=");
	}
	return false;
}

/* Find the functions of a file without comments, and what is outside of their bodies. */
static void split(struct text file)
{
	struct text chunk;
	struct head head;

	for (const char *c = file.at; c <= file.end; c = chunk.end + 2) {
		const char *brace, *end;

		chunk = (struct text){ c, file.end };
		end = find(chunk, "\n}");
		chunk.end = end ? end : file.end;
		brace = find_last(chunk, "\n{");
		if (!brace || !read_head((struct text){ brace - c > HEAD ? brace - HEAD : c, brace }, &head)) {
			ADD(outside, chunk);
			continue;
		}
		ADD(outside, (struct text){ c, brace });
		ADD(functions, (struct function){ .name = named(kept(head.prefix, head.name, ""), 0),
						  .local = head.local,
						  .body = { brace + 2, chunk.end },
						  .entry = head.entry });
		names.at[functions.at[functions.used - 1].name].own = true;
	}
}

/* Bodies */

/* Let a function call one of the elements of a table, before its own calls. */
static void call_elements(struct function *f, unsigned int number, struct table table)
{
	size_t mine = calls.used - f->calls;
	/* As in a case of a switch. */
	unsigned int several = lround(log2(table.end - table.elements)) * PER_LEVEL + IN_CASE;

	old.used = 0;
	RESERVE(old, mine);
	for (size_t i = 0; i < mine; i++)
		old.at[i] = calls.at[f->calls + i];
	calls.used = f->calls;
	for (size_t i = table.elements; i < table.end; i++) {
		const struct name *name = &names.at[elements.at[i]];
		struct call *before = name->seen == number ? &old.at[name->call - f->calls] : NULL;

		add_call(elements.at[i], before ? before->code : several, number);
		if (before)
			before->name = 0;
	}
	for (size_t i = 0; i < mine; i++)
		if (old.at[i].name)
			add_call(old.at[i].name, old.at[i].code, number);
}

/* Add the functions of the file that one names and does not call, as a callback; whether there are any. */
static bool add_named(const struct function *f, unsigned int number)
{
	size_t first = elements.used;
	bool found = false;

	for EACH_WORD(w, f->body) {
		const char *after = spaces(w.end, f->body.end);
		unsigned int name;

		if (after == f->body.end || (*after != ',' && *after != ';' && *after != ')' && *after != '}'))
			continue;
		name = known(w);
		if (!name || !names.at[name].own)
			continue;
		found = true;
		if (name != f->name && names.at[name].seen != number) {
			names.at[name].seen = number;
			ADD(elements, name);
		}
	}
	sort_elements(first);
	for (size_t i = first; i < elements.used; i++)
		ADD(calls, (struct call){ .name = named(names.at[elements.at[i]].text, '&'), .code = NAMED });
	elements.used = first;
	return found;
}

/* Add the handlers that a body registers, with the function that registers them. */
static void read_registered(struct text body)
{
	size_t first = elements.used;

	for EACH_WORD(w, body) {
		const char *open = spaces(w.end, body.end), *end;

		if (!has(open, body.end, '(') || !names.at[named(w, 0)].registers)
			continue;
		end = memchr(open, ';', body.end - open);
		if (!end)
			return;
		add_elements((struct text){ open, end });
		for (size_t i = first; i < elements.used; i++)
			say(&registered, " %.*s.%.*s", TEXT(w), TEXT(names.at[elements.at[i]].text));
		elements.used = first;
		w.end = end;
	}
}

static bool registers_handlers(const struct function *f)
{
	for (size_t i = f->calls; i < calls.used; i++)
		if (names.at[calls.at[i].name].registers)
			return true;
	return false;
}

/* The table of ioctls that a function dispatches to; NULL if there is none. */
static const char *dispatched(struct text body)
{
	for (const char *c; (c = find(body, "->")); body.at = c + 1) {
		const char *table = AMONG(DISPATCHES, word(c + 2, body.end));

		if (table)
			return table;
	}
	return NULL;
}

static void read_functions(struct text file)
{
	split(file);
	for (size_t i = 0; i < outside.used; i++) {
		struct text chunk = outside.at[i];

		if (find(chunk, ".") && find(chunk, "="))
			read_slots(chunk);
		if (find(chunk, "IOC") || find(chunk, "_CMD_"))
			read_rows(chunk);
		if (functions.used && find(chunk, "]") && find(chunk, "{"))
			read_tables(chunk);
	}
	for (unsigned int i = 0; i < functions.used; i++) {
		struct function *f = &functions.at[i];

		f->calls = calls.used;
		f->commands = commands.used;
		if (find(f->body, "("))
			f->is_error = find_calls(f->body, i + 1);
		for (size_t t = 0; t < tables.used; t++)
			if (memmem(f->body.at, length(f->body), tables.at[t].start.at, length(tables.at[t].start)))
				call_elements(f, i + 1, tables.at[t]);
		if (add_named(f, i + 1))
			read_assignments(f->body);
		if (registers_handlers(f))
			read_registered(f->body);
		if (!f->entry && find(f->body, "IOC"))
			f->entry = dispatched(f->body);
		f->calls_end = calls.used;
		f->commands_end = commands.used;
	}
}

/* Macros */

/* Add a macro that calls something, as a function. Other files see it if it is in a header, as all of that. */
static void read_macro(struct text name, struct text body)
{
	unsigned int number = functions.used + 1;
	size_t first = calls.used;
	char mark;

	for (const char *c = body.end; (c = memrchr(body.at, '(', c - body.at));) {
		struct text callee = call_before(body.at, c, true, &mark);
		unsigned int called;

		c = length(callee) ? callee.at : c;
		if (length(callee) <= 3 || (!mark && same(callee, name)))
			continue;
		called = named(callee, mark);
		if (names.at[called].seen != number)
			add_call(called, 0, number);
	}
	if (calls.used > first)
		ADD(functions, (struct function){ .name = named(name, 0),
						  .local = true,
						  .calls = first,
						  .calls_end = calls.used,
						  .commands = commands.used,
						  .commands_end = commands.used });
}

/* What follows a directive on a line; NULL if it is not that directive. */
static const char *after_directive(struct text line, const char *directive)
{
	const char *c = has(line.at, line.end, '#') ? spaces(line.at + 1, line.end) : line.end;

	if (!starts(c, line.end, directive))
		return NULL;
	c += strlen(directive);
	return spaces(c, line.end) > c ? spaces(c, line.end) : NULL;
}

static void read_macros(struct text file)
{
	for (struct text line = { file.at, NULL }; line.at < file.end; line.at = line.end + 1) {
		const char *c, *close;
		struct text name;

		line.end = line_end(line.at, file.end);
		c = after_directive(line, "define");
		if (!c)
			continue;
		name = word(c, line.end);
		close = has(name.end, line.end, '(') ? memchr(name.end, ')', line.end - name.end) : NULL;
		if (!length(name) || !close)
			continue;
		for (c = close + 1; c < file.end && *c != '\n'; c++)
			c += *c == '\\' && c + 1 < file.end;
		line.end = c;
		read_macro(name, (struct text){ close + 1, line.end });
	}
}

/* Files */

/* The end of a comment or a string; the place itself if it is none. */
static const char *not_code(const char *c, const char *end)
{
	const char *found;

	if (*c == '/') {
		if (has(c + 1, end, '*') && (found = find((struct text){ c + 2, end }, "*/")))
			return found + 2;
		return has(c + 1, end, '/') ? line_end(c, end) : c;
	}
	for (found = c + 1; found < end && *found != *c && *found != '\n'; found++)
		if (*found == '\\' && ++found == end)
			return c;
	return has(found, end, *c) ? found + 1 : c;
}

static struct text without_comments(struct text file)
{
	const char *c = file.at;
	char *to;

	code.used = 0;
	RESERVE(code, length(file) + 1);
	to = code.at;
	while (c < file.end) {
		const char *end = *c == '/' || *c == '"' || *c == '\'' ? not_code(c, file.end) : c;

		if (end == c)
			*to++ = *end++;
		c = end;
	}
	return (struct text){ code.at, to };
}

/* Add the C files that a file includes. */
static void read_includes(struct text file)
{
	for (struct text line = { file.at, NULL }; line.at < file.end; line.at = line.end + 1) {
		struct text path;

		line.end = line_end(line.at, file.end);
		path.at = after_directive(line, "include");
		if (!path.at || !has(path.at, line.end, '"'))
			continue;
		for (path.end = ++path.at; path.end < line.end && *path.end >= ' ' && *path.end != '"'; path.end++)
			;
		if (length(path) > 2 && starts(path.end - 2, line.end, ".c\""))
			say(&included, "\n%.*s", TEXT(path));
	}
}

/* Put those first that other files may call; returns how many that are. */
static size_t sort_functions(void)
{
	size_t count = functions.used, visible = 0;

	for (int local = 0; local < 2; local++) {
		for (size_t i = 0; i < count; i++)
			if (functions.at[i].local == local)
				ADD(functions, functions.at[i]);
		visible = local ? visible : functions.used - count;
	}
	for (functions.used = 0; functions.used < count; functions.used++)
		functions.at[functions.used] = functions.at[functions.used + count];
	return visible;
}

static void say_calls(const struct function *f)
{
	for (size_t i = f->calls; i < f->calls_end; i++) {
		const struct name *name = &names.at[calls.at[i].name];
		char before[] = { ' ', name->mark };

		say_text(&out, before, name->mark ? 2 : 1);
		say_text(&out, name->text.at, length(name->text));
	}
}

static void say_codes(const struct function *f)
{
	for (size_t i = f->calls; i < f->calls_end; i++) {
		static const char DIGITS[] = "0123456789abcdef";
		unsigned int said = calls.at[i].code;
		char digits[] = { DIGITS[said >> 4], DIGITS[said & 15] };

		say_text(&out, digits, sizeof(digits));
	}
}

static void say_commands(const struct function *f)
{
	for (size_t i = f->commands; i < f->commands_end; i++) {
		const struct name *name = &names.at[commands.at[i].name];

		say(&out, " %s%.*s.%s.%u", name->mark ? ">" : "", TEXT(name->text), commands.at[i].word,
		    commands.at[i].code);
	}
}

/* All that was read: the fields of Index in turn, separated by form feeds. */
static const char *all(void)
{
	const struct buffer *const last[] = { &slots, &rows, &registered, &included };
	size_t visible = sort_functions();

	out.used = 0;
	for (size_t i = 0; i < functions.used; i++)
		say(&out, " %.*s", TEXT(names.at[functions.at[i].name].text));
	say(&out, "\f%zu\f", visible);
	for (size_t i = 0; i < functions.used; i++) {
		say_text(&out, "\n", i > 0);
		say_calls(&functions.at[i]);
	}
	say(&out, "\f");
	for (size_t i = 0; i < functions.used; i++)
		say_codes(&functions.at[i]);
	say(&out, "\f");
	for (size_t i = 0; i < functions.used; i++)
		if (functions.at[i].is_error)
			say(&out, " %zu", i);
	say(&out, "\f");
	for (size_t i = 0; i < functions.used; i++)
		if (functions.at[i].entry)
			say(&out, " %zu.%s", i, functions.at[i].entry);
	say(&out, "\f");
	for (size_t i = 0; i < functions.used; i++)
		say_commands(&functions.at[i]);
	for (size_t i = 0; i < COUNT(last); i++) {
		say(&out, "\f");
		say_text(&out, last[i]->used ? last[i]->at : "", last[i]->used);
	}
	say_text(&out, "", 1);
	return out.at;
}

/* Read a file. The result is valid until the next one. */
const char *index_of(const char *text, size_t size)
{
	struct text file = { text, text + size }, without;
	const char *defines = find(file, "#define");
	bool has_code = find(file, "\n{") || find(file, "{\n");

	slots.used = rows.used = registered.used = included.used = 0;
	elements.used = functions.used = outside.used = tables.used = calls.used = commands.used = 0;
	/* Headers of registers, 400 MB of a tree, define numbers alone. */
	if (has_code || (defines && find((struct text){ defines, file.end }, "("))) {
		without = without_comments(file);
		begin_names(length(without));
		if (has_code) {
			read_includes(file);
			read_functions(without);
		}
		read_macros(without);
	}
	return all();
}
