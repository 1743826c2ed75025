// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW02: every way out of a window has to pass exactly one end.
 *
 * A return that skips it leaves user memory open to the rest of the kernel, and SMAP is not
 * turned on again until the task is switched or goes back to user space.  An end too many closes
 * the window of whoever called us.
 *
 * A helper that can be inlined, has no end at all, and is called by something that ends the window
 * afterwards is believed to return with it open on purpose.  That misses the helper which was
 * meant to end it.
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
					 "%s inside a scope that ends by itself, opened on line %d",
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
