// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW02: every path out of a window must pass exactly one end.
 *
 * A return without one leaves user memory accessible to the rest of the kernel, with SMAP off
 * until the task is switched or returns to user space.  A surplus end closes the caller's window.
 *
 * A helper that can be inlined and has no end is taken to leave its window open on purpose if a
 * caller ends it.  This misses helpers that were meant to end it.
 */

#include "smatch.h"
#include "user_access.h"

static void match_return(const struct user_access_event *event, const struct user_window *window)
{
	if (!window_is_open(window) || window->scoped)
		return;
	user_access_warn("UW02", event->pos, event->function,
			 "user access is still open at return, opened on line %d",
			 window->pos.line);
}

static void match_end(const struct user_access_event *event, const struct user_window *window)
{
	if (window->kind == WINDOW_OPEN) {
		if (window->scoped)
			user_access_warn("UW02", event->pos, event->function,
					 "%s inside a scope, which closes its own window, opened on line %d",
					 event->name, window->pos.line);
		return;
	}
	if (window->kind == WINDOW_FAILED)
		user_access_warn("UW02", event->pos, event->function,
				 "%s without a window, begin failed on line %d",
				 event->name, window->pos.line);
	else
		user_access_warn("UW02", event->pos, event->function,
				 "%s without a window", event->name);
}

void check_user_access_balance(int id)
{
	add_user_access_hook(USER_RETURN, &match_return);
	add_user_access_hook(USER_END, &match_end);
}
