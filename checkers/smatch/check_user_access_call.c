// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW06: a call while user access is open.
 *
 * What runs out of line runs with user memory open, and nobody who wrote it knows that.  Objtool
 * finds these too, but only on x86-64 and only in what is configured.  Its list of functions that
 * are safe is in user_access_names.h.
 *
 * A function that can be inlined is looked into; whether it is inlined is another question (UW07).
 * A static one that is noinline counts as a call, unless it accesses user memory itself: then it
 * was written to run in a window.
 */

#include "smatch.h"
#include "user_access.h"

static void match_call(const struct user_access_event *event, const struct user_window *window)
{
	if (!window_is_open(window))
		return;
	user_access_warn("UW06", event->pos, event->function,
			 "calling %s while user access is open, opened on line %d",
			 event->name, window->pos.line);
}

void check_user_access_call(int id)
{
	add_user_access_hook(USER_CALL, &match_call);
}
