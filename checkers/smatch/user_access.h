/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the check_user_access_*.c files are told by check_user_access.c.
 *
 * A check does not follow the flow.  It is called once for each pair of an event and a state
 * in which that event can be reached, and decides whether the pair is a bug.
 */
#ifndef USER_ACCESS_H
#define USER_ACCESS_H

/* What a window lets through, and what an access needs. */
#define USER_READ	1
#define USER_WRITE	2

enum user_window_kind {
	WINDOW_ENTRY,	/* whatever the caller left; no check ever sees this one */
	WINDOW_CLOSED,
	WINDOW_FAILED,	/* closed, as the begin at ->pos returned false */
	WINDOW_OPEN,
	WINDOW_KERNEL,	/* no window is needed: a kernel address, or opened by other means */
	WINDOW_UNKNOWN,	/* after a bug that was reported, or code that was not understood */
};

/* A helper that was called in a window, and those before it. */
struct user_helper {
	const char *name;
	const struct user_helper *rest;
};

struct user_window {
	enum user_window_kind kind;
	int may;		/* USER_READ | USER_WRITE, 0 if that is not known */
	int used;		/* if it is not: the accesses on the way here */
	const struct user_helper *helpers;	/* ... and who may have done more */
	struct position pos;	/* of the begin */
	bool scoped;		/* opened by scoped_user_*_access() */
	bool saved;		/* put aside by user_access_save(), so closed for now */
	const char *via;	/* the helper that returned with the window open */
};

enum user_access_type {
	USER_BEGIN,
	USER_BEGIN_DROPPED,	/* the masked pointer is not used */
	USER_END,
	USER_ACCESS,
	USER_CALL,		/* something runs out of line */
	USER_SLEEP,		/* a call that may sleep */
	USER_OPENS,		/* a call that opens and closes by itself */
	USER_RETURN,
	NR_USER_EVENTS,
};

struct user_access_event {
	enum user_access_type type;
	const char *name;
	const char *function;
	struct position pos;
	int may;		/* of a begin and an end, or needed by an access */
	bool untested;		/* FAILED, and this very begin may as well have succeeded */
};

typedef void (user_access_hook)(const struct user_access_event *event,
				const struct user_window *window);

void add_user_access_hook(enum user_access_type type, user_access_hook *hook);
void user_access_warn(const char *code, struct position pos, const char *function,
		      const char *fmt, ...) __attribute__((format(printf, 4, 5)));
bool window_is_open(const struct user_window *window);
int window_used(const struct user_window *window);
const char *directions(int may);

#endif
