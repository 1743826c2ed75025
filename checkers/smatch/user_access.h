/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface between check_user_access.c and the check_user_access_*.c files.
 *
 * A check does not follow control flow.  It is called once for each event and each window in which
 * the event can happen, and decides whether that pair is a bug.
 */
#ifndef USER_ACCESS_H
#define USER_ACCESS_H

/* The directions that a window allows, and that an access needs. */
#define USER_READ	1
#define USER_WRITE	2

enum user_window_kind {
	WINDOW_ENTRY,	/* as the caller left it; never passed to a check */
	WINDOW_CLOSED,
	WINDOW_FAILED,	/* closed: the begin at ->pos returned false */
	WINDOW_OPEN,
	WINDOW_KERNEL,	/* no window is needed: a kernel address, or opened by other means */
	WINDOW_UNKNOWN,	/* after a reported bug, or code that was not understood */
};

/* A list of helpers called in a window, last one first. */
struct user_helper {
	const char *name;
	const struct user_helper *rest;
};

struct user_window {
	enum user_window_kind kind;
	int may;		/* USER_READ | USER_WRITE, 0 if unknown */
	int used;		/* if unknown: the accesses on this path */
	const struct user_helper *helpers;	/* ... and the helpers that may have made more */
	struct position pos;	/* of the begin */
	bool scoped;		/* by scoped_user_*_access() */
	bool saved;		/* by user_access_save(), so closed for now */
	const char *via;	/* the helper that returned with the window open */
};

enum user_access_type {
	USER_BEGIN,
	USER_BEGIN_DROPPED,	/* the masked pointer is not used */
	USER_END,
	USER_ACCESS,
	USER_CALL,		/* an out-of-line call */
	USER_SLEEP,		/* a call that may sleep */
	USER_OPENS,		/* a call that opens and closes user access itself */
	USER_RETURN,
	NR_USER_EVENTS,
};

struct user_access_event {
	enum user_access_type type;
	const char *name;
	const char *function;
	struct position pos;
	int may;		/* direction of a begin or end, or needed by an access */
	bool untested;		/* WINDOW_FAILED, but this begin may also have succeeded */
	bool conditional;	/* where a number that the function was given is known */
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
