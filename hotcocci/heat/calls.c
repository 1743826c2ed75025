// SPDX-License-Identifier: GPL-2.0
/*
 * What a function calls, and under which loops and conditions, from its lines and their indentation.
 *
 * Kernel style gives each block a tab of its own (Documentation/process/coding-style.rst), which is as good as
 * braces where #ifdef makes them unbalanced. index.py defines the weights, and the words of entries.toml.
 */
#include <math.h>

#include "reader.h"

enum kind { NONE, IF_SO, UNLIKELY, LIKELY, LOOP, DO, SWITCH, CASE, AFTER };

struct block {
	enum kind kind;
	unsigned int parent, line;
	/* The ioctl command that leads here. */
	const char *command;
	/* Of a switch: its cases, and whether one is of a command. */
	unsigned int cases;
	bool framed;
	/* On an error path. */
	bool cold;
	/* Halvings, two for each, loops and conditions around its lines, and whether they are in a case. */
	unsigned int level, loops, ifs;
	bool switched;
};

struct open {
	unsigned int indent, block;
};

struct place {
	unsigned int name, block;
};

struct calls calls;
struct commands commands;
static VECTOR(blocks, struct block) blocks;
static VECTOR(stack, struct open) stack;
static VECTOR(places, struct place) places;
static unsigned int lines;

/* The words that commands end in, longest first, and what those of 32-bit programs are called. */
static const char *const COMMAND_WORDS[][2] = { COMMANDS };
/* What a line begins with that matters without a call. */
static const char *const STARTS[] = { "if",   "for",	 "while",  "switch", "do",
				      "case", "default", "return", "goto",   "break" };

/* Commands of ioctls */

/* Numbers, and perhaps a last word, are all that may follow the word of a command. */
static bool is_tail(const char *c, const char *end, bool *of_32_bits)
{
	struct text numbers = { c, c };

	while (c < end) {
		c += *c == '_';
		c += has(c, end, 'X') ? 1 : starts(c, end, "TIME") ? 4 : 0;
		if (c == end || !is_digit(*c))
			break;
		while (c < end && is_digit(*c))
			c++;
		numbers.end = c;
	}
	*of_32_bits = find(numbers, "32");
	numbers = (struct text){ numbers.end, end };
	return !length(numbers) || is(numbers, "_OLD") || is(numbers, "_WR");
}

/* The word of the table of commands that the name of a command ends in; NULL if there is none. */
const char *command_word(struct text label)
{
	bool of_32_bits;

	for (const char *c = label.at; c < label.end; c++)
		for (size_t i = 0; i < COUNT(COMMAND_WORDS) && (c == label.at || c[-1] == '_'); i++)
			if (starts(c, label.end, COMMAND_WORDS[i][0]) &&
			    is_tail(c + strlen(COMMAND_WORDS[i][0]), label.end, &of_32_bits))
				return COMMAND_WORDS[i][of_32_bits];
	return NULL;
}

/* The command that a condition compares something with. */
static const char *compared(struct text line)
{
	for (const char *c; (c = find(line, "==")); line.at = c + 2) {
		struct text name = word(spaces(c + 2, line.end), line.end);

		if (length(name) >= 4 && is_upper(*name.at)) {
			for (c = name.at; c < name.end && !is_lower(*c); c++)
				;
			if (c == name.end)
				return command_word(name);
		}
	}
	return NULL;
}

/* The first command among the labels of a case. */
static const char *labelled(struct text line)
{
	for EACH_WORD(w, line) {
		const char *after = spaces(w.end, line.end), *command = NULL;

		if (length(w) >= 4 && (is_upper(*w.at) || *w.at == '_') &&
		    (has(after, line.end, ':') || starts(after, line.end, "...")))
			command = command_word(w);
		if (command)
			return command;
	}
	return NULL;
}

/* Lines of a function */

/* The name that is called before a bracket, empty if there is none, and its mark. A macro may call a part of a name. */
struct text call_before(const char *start, const char *bracket, bool is_macro, char *mark)
{
	struct text name = { bracket, bracket };

	if (name.end > start && name.end[-1] == ' ')
		name.end--;
	if (!is_macro && name.end > start && name.end[-1] == ')')
		name.end--;
	for (name.at = name.end; name.at > start && is_word(name.at[-1]); name.at--)
		;
	while (length(name) && (is_digit(*name.at) || (is_macro && is_upper(*name.at))))
		name.at++;
	start = name.at - start >= 2 ? name.at - 2 : start;
	*mark = name.at > start && (name.at[-1] == '.' || starts(start, name.at, "->")) ? '>' : 0;
	return name;
}

static void add_calls(struct text line, unsigned int block)
{
	char mark;

	for (const char *c = line.end; (c = memrchr(line.at, '(', c - line.at));) {
		struct text name = call_before(line.at, c, false, &mark);

		if (!length(name))
			continue;
		ADD(places, (struct place){ named(name, mark), block });
		c = name.at;
	}
}

static bool is_unlikely(struct text line)
{
	for EACH_WORD(w, line)
		if ((is(w, "unlikely") || starts(w.at, w.end, "IS_ERR") || starts(w.at, w.end, "WARN") ||
		     starts(w.at, w.end, "BUG")) &&
		    is_called(w, line.end))
			return true;
	return false;
}

/* Whether what follows "while" or "for" is (1) or (;;). */
static bool is_endless(struct text line)
{
	const char *c = spaces(line.at, line.end), *end = line.end;
	struct text round;

	if (!has(c, end, '('))
		return false;
	c = spaces(c + 1, end);
	round = word(c, end);
	c = round.end;
	if (has(c, end, ';') && !length(round)) {
		c = spaces(c + 1, end);
		return has(c, end, ';') && has(spaces(c + 1, end), end, ')');
	}
	return (is(round, "1") || is(round, "true") || is(round, "0")) && has(spaces(c, end), end, ')');
}

/* Whether "return" has a constant error. */
static bool is_failure(struct text line)
{
	const char *c = spaces(line.at, line.end), *end = line.end, *start;
	bool wrapped = starts(c, end, "ERR_PTR(");

	c += wrapped ? strlen("ERR_PTR(") : 0;
	start = c + 2;
	if (!starts(c, end, "-E"))
		return false;
	for (c = start; c < end && (is_upper(*c) || is_digit(*c)); c++)
		;
	if (c == start || (wrapped && !has(c, end, ')')))
		return false;
	return has(spaces(c + wrapped, end), end, ';');
}

static int brackets(struct text line)
{
	int open = 0;

	for (const char *c = line.at; c < line.end; c++)
		open += (*c == '(') - (*c == ')');
	return open;
}

/* Close what a line at this indentation ends; returns the last block that was closed. */
static unsigned int leave(unsigned int indent, bool is_label)
{
	unsigned int last = 0;

	for (; stack.used > 1; stack.used--) {
		struct open top = stack.at[stack.used - 1];

		if (top.indent < indent || (top.indent == indent && is_label && blocks.at[top.block].kind == SWITCH))
			break;
		last = top.block;
	}
	return last;
}

static void open_block(enum kind kind, const char *command, unsigned int indent, unsigned int parent)
{
	ADD(blocks, (struct block){ .parent = parent, .kind = kind, .line = lines, .command = command });
	ADD(stack, (struct open){ indent, blocks.used - 1 });
}

static void read_case(struct text rest, unsigned int indent, unsigned int parent, unsigned int last)
{
	const char *command = labelled(rest);

	if (blocks.at[last].kind == CASE && blocks.at[last].line == lines - 1)
		/* case A: case B: share their code. */
		command = command ? command : blocks.at[last].command;
	else
		blocks.at[parent].cases++;
	open_block(CASE, command, indent, parent);
	add_calls(rest, blocks.used - 1);
}

static void leave_function(struct text keyword, struct text rest, unsigned int indent, unsigned int block)
{
	if (block && is(keyword, "return") && is_failure(rest))
		blocks.at[block].cold = true;
	if (stack.used == 1 && indent <= 8) {
		/* What follows is reached by goto only. */
		ADD(blocks, (struct block){ .kind = AFTER });
		stack.at[0] = (struct open){ 0, blocks.used - 1 };
	}
}

static enum kind kind_of(struct text keyword, bool is_loop, bool is_else, struct text rest, unsigned int last)
{
	if (is(keyword, "if"))
		return is_unlikely(rest) ? UNLIKELY : find(rest, "(likely(") ? LIKELY : IF_SO;
	if (is_loop)
		return is_endless(rest) ? DO : LOOP;
	if (!is_else)
		return is(keyword, "do") ? DO : SWITCH;
	return blocks.at[last].kind == UNLIKELY ? LIKELY : blocks.at[last].kind == LIKELY ? UNLIKELY : IF_SO;
}

/* Read a line that begins with a keyword or has a bracket; returns how many brackets stay open. */
static int read_line(struct text line, int unclosed)
{
	unsigned int indent = 0, last = 0, block;
	bool closes, is_else, is_keyword, is_label, is_loop;
	struct text keyword, rest = line;

	for (; has(rest.at, line.end, '\t') || has(rest.at, line.end, ' '); rest.at++)
		indent = *rest.at == '\t' ? (indent | 7) + 1 : indent + 1;
	if (has(rest.at, line.end, '#'))
		return unclosed;
	closes = has(rest.at, line.end, '}');
	rest.at += closes;
	rest.at += closes && has(rest.at, line.end, ' ');
	is_else = is(word(rest.at, line.end), "else");
	rest.at += is_else ? strlen("else") : 0;
	rest.at += is_else && has(rest.at, line.end, ' ');
	keyword = word(rest.at, line.end);
	is_keyword = AMONG(STARTS, keyword);
	if (!is_keyword && !is_else && !memchr(rest.at, '(', length(rest)) && !memchr(rest.at, ')', length(rest)))
		return unclosed;
	lines++;
	rest.at = is_keyword ? keyword.end : rest.at;
	if (unclosed > 0) {
		struct block *condition = &blocks.at[blocks.used - 1];

		add_calls(rest, condition->parent);
		if (condition->kind == IF_SO && is_unlikely(rest))
			condition->kind = UNLIKELY;
		return unclosed + brackets(rest);
	}
	is_loop = is_keyword ? is(keyword, "for") || is(keyword, "while") : !!find(keyword, "for_each");
	is_label = is(keyword, "case") || is(keyword, "default");
	if (stack.used > 1 && stack.at[stack.used - 1].indent >= indent)
		last = leave(indent, is_label);
	block = stack.at[stack.used - 1].block;
	if (is(keyword, "break"))
		return 0;
	if (is_label) {
		read_case(rest, indent, block, last);
		return 0;
	}
	add_calls(rest, block);
	if (!is_keyword && !is_loop && !is_else)
		return 0;
	if (is(keyword, "return") || is(keyword, "goto")) {
		leave_function(keyword, rest, indent, block);
	} else if (closes && is(keyword, "while")) {
		if (blocks.at[last].kind == DO && !is_endless(rest))
			blocks.at[last].kind = LOOP;
	} else {
		enum kind kind = kind_of(keyword, is_loop, is_else, rest, last);

		open_block(kind, kind == IF_SO ? compared(rest) : NULL, indent, block);
		return brackets(rest);
	}
	return 0;
}

/* Calls of a function */

/* How often each block runs, against its function. */
static void weigh(void)
{
	for (unsigned int i = 1; i < blocks.used; i++)
		if (blocks.at[i].kind == CASE && blocks.at[i].command)
			blocks.at[blocks.at[i].parent].framed = true;
	for (unsigned int i = 1; i < blocks.used; i++) {
		struct block *b = &blocks.at[i];
		const struct block *parent = &blocks.at[b->parent];

		b->level = parent->level;
		b->loops = parent->loops;
		b->ifs = parent->ifs;
		b->switched = parent->switched || (b->kind == CASE && !b->cold);
		if (b->cold || b->kind == UNLIKELY) {
			b->level += ERROR;
		} else if (b->kind == IF_SO && !b->command && b->ifs < MOST_IFS) {
			b->level += IF;
			b->ifs++;
		} else if (b->kind == LOOP) {
			b->loops += b->loops < MOST_LOOPS;
		} else if (b->kind == CASE && b->command) {
			b->level += IF;
		} else if (b->kind == CASE) {
			/* Beside commands that run per frame, the others are set-up. */
			b->level += (parent->framed ? ERROR : 0) + lround(log2(parent->cases ? parent->cases : 1));
		} else if (b->kind == AFTER) {
			b->level += AFTER_RETURN;
		}
		b->level = b->level < LEAST ? b->level : LEAST;
		b->command = b->command ? b->command : parent->command;
	}
}

/* How seldom a call with this code is made: fewer is more often. A loop counts four times. */
static int rank(unsigned int code)
{
	return (int)(code % IN_CASE / PER_LEVEL) - 4 * (int)(code % IN_CASE % PER_LEVEL);
}

/* Add a call that a function has not yet. */
void add_call(unsigned int name, unsigned int code, unsigned int function)
{
	names.at[name].seen = function;
	names.at[name].call = calls.used;
	ADD(calls, (struct call){ name, code, NULL });
}

/* Mark the blocks that only run where something went wrong; whether that is the whole function. */
static bool find_errors(void)
{
	bool whole = false;

	for (unsigned int i = 0; i < places.used; i++) {
		const struct name *name = &names.at[places.at[i].name];

		if (!name->is_alarm && !name->is_fatal)
			continue;
		if (places.at[i].block)
			blocks.at[places.at[i].block].cold = true;
		else
			whole |= name->is_fatal;
	}
	return whole;
}

/* Add the calls of a function, each with the code of its most frequent place; whether it is an error path itself. */
bool find_calls(struct text body, unsigned int function)
{
	size_t first = commands.used;
	int unclosed = 0;
	bool is_error;

	blocks.used = stack.used = places.used = lines = 0;
	ADD(blocks, (struct block){ .kind = NONE });
	ADD(stack, (struct open){ 0, 0 });
	for (struct text line = { body.at, NULL }; line.at <= body.end; line.at = line.end + 1) {
		line.end = line_end(line.at, body.end);
		unclosed = read_line(line, unclosed);
	}
	is_error = find_errors();
	weigh();
	for (unsigned int i = 0; i < places.used; i++) {
		const struct place *place = &places.at[i];
		const struct name *name = &names.at[place->name];
		const struct block *b = &blocks.at[place->block];
		unsigned int code = b->level * PER_LEVEL + b->loops + IN_CASE * b->switched;
		struct call *call;

		if (name->is_keyword)
			continue;
		if (name->seen != function)
			add_call(place->name, code, function);
		call = &calls.at[name->call];
		if (rank(code) < rank(call->code))
			call->code = code;
		if (b->command && !call->command)
			ADD(commands, (struct command){ .name = place->name });
		call->command = b->command ? b->command : call->command;
	}
	for (size_t i = first; i < commands.used; i++) {
		struct call *call = &calls.at[names.at[commands.at[i].name].call];

		commands.at[i].code = call->code %= IN_CASE;
		commands.at[i].word = call->command;
	}
	return is_error;
}
