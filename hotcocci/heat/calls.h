/* SPDX-License-Identifier: GPL-2.0 */
/* The names of a file, and the calls of its functions. */
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

/* All names, from 1 on; the calls of all functions; and those under the label of a command. */
extern VECTOR(names, struct name) names;
extern VECTOR(calls, struct call) calls;
extern VECTOR(commands, struct command) commands;

void forget_names(void);
unsigned int known(struct text text);
unsigned int named(struct text text, char mark);
struct text call_before(const char *start, const char *bracket, bool is_macro, char *mark);
void add_call(unsigned int name, unsigned int code, unsigned int function);
bool find_calls(struct text body, unsigned int function);
const char *command_word(struct text label);
