/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of the reader share: the names of a file, the calls of its functions, and what is said. */
#pragma once
#include "text.h"

struct name {
	struct text text;
	/* '>' for a slot, '&' for a function that is named and not called, else 0. */
	char mark;
	/* A function of this file. */
	bool own;
	bool is_keyword, is_alarm, is_fatal, registers;
	/* The last function that calls it, and which of its calls that is; and the last list that has it. */
	unsigned int seen, call, listed;
};

struct call {
	unsigned int name, code;
	/* The ioctl command under whose label it is. */
	const char *command;
};

struct command {
	unsigned int name, code;
	const char *word;
};

/* An array that has functions of the file. */
struct table {
	struct text start;
	size_t elements, end;
};

VECTOR(buffer, char);

#define TEXT(text) (int)length(text), (text).at

/* How far before its brace a function begins, or before its elements an array, in bytes. */
#define HEAD 600

/* names.c: all names, from 1 on, and lists of the file's own functions. */
extern VECTOR(names, struct name) names;
extern VECTOR(elements, unsigned int) elements;

void begin_names(size_t size);
unsigned int known(struct text text);
unsigned int named(struct text text, char mark);
struct text kept(const char *before, struct text name, const char *after);
void sort_elements(size_t first);
void add_elements(struct text text);
void say_text(struct buffer *to, const char *at, size_t size);
void say(struct buffer *to, const char *format, ...);

/* calls.c: the calls of all functions, and those under the label of a command. */
extern VECTOR(calls, struct call) calls;
extern VECTOR(commands, struct command) commands;

const char *command_word(struct text label);
struct text call_before(const char *start, const char *bracket, bool is_macro, char *mark);
void add_call(unsigned int name, unsigned int code, unsigned int function);
bool find_calls(struct text body, unsigned int function);

/* initialisers.c */
extern VECTOR(tables, struct table) tables;
extern struct buffer slots, rows;

void read_slots(struct text chunk);
void read_rows(struct text chunk);
void read_tables(struct text chunk);
void read_assignments(struct text body);
