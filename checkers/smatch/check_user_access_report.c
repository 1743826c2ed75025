// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dispatch events to the check_user_access_*.c files, and print their warnings.
 */

#include <stdarg.h>
#include "smatch.h"
#include "user_access_flow.h"

struct warning {
	struct position pos;
	const char *code;
	char *text;
	const char *function;
	struct warning *next;
};

struct hook_entry {
	user_access_hook *hook;
	struct hook_entry *next;
};

static struct warning *warnings;
static struct hook_entry *hooks[NR_USER_EVENTS];

void add_user_access_hook(enum user_access_type type, user_access_hook *hook)
{
	struct hook_entry *entry = uaccess_zalloc(sizeof(*entry));

	entry->hook = hook;
	entry->next = hooks[type];
	hooks[type] = entry;
}

void tell_user_access(const struct user_access_event *event, const struct user_window *window)
{
	struct hook_entry *entry;

	for (entry = hooks[event->type]; entry; entry = entry->next)
		entry->hook(event, window);
}

static int by_place(const void *_a, const void *_b)
{
	const struct warning *a = *(const struct warning **)_a;
	const struct warning *b = *(const struct warning **)_b;

	if (a->pos.stream != b->pos.stream)
		return a->pos.stream < b->pos.stream ? -1 : 1;
	if (a->pos.line != b->pos.line)
		return a->pos.line < b->pos.line ? -1 : 1;
	return strcmp(a->code, b->code) ?: strcmp(a->text, b->text);
}

void user_access_warn(const char *code, struct position pos, const char *function,
		      const char *fmt, ...)
{
	struct warning *warning = uaccess_zalloc(sizeof(*warning));
	char buf[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(buf, sizeof(buf), fmt, args);
	va_end(args);
	warning->code = code;
	warning->pos = pos;
	warning->function = function;
	warning->text = alloc_string(buf);
	warning->next = warnings;
	warnings = warning;
}

/* One line per position and code: a block copy is a dozen accesses. */
void print_user_access_warnings(void)
{
	struct warning *warning, **list;
	int i, nr = 0;

	for (warning = warnings; warning; warning = warning->next)
		nr++;
	list = uaccess_zalloc((nr + 1) * sizeof(*list));
	for (i = 0, warning = warnings; warning; warning = warning->next)
		list[i++] = warning;
	qsort(list, nr, sizeof(*list), by_place);
	for (i = 0; i < nr; i++) {
		warning = list[i];
		if (i && list[i - 1]->pos.stream == warning->pos.stream &&
		    list[i - 1]->pos.line == warning->pos.line &&
		    strcmp(list[i - 1]->code, warning->code) == 0)
			continue;
		fprintf(sm_outfd, "%s:%d %s() warn: %s %s\n", stream_name(warning->pos.stream),
			warning->pos.line, warning->function, warning->code, warning->text);
		sm_nr_checks++;
	}
	free(list);
}
