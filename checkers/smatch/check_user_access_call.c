// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW06: a call while user access is open.
 *
 * The callee runs with user access open and was not written for that.  Objtool finds these calls
 * too, but only on x86-64 and in configured code.  user_access_names.h has its list of safe
 * functions.
 *
 * Functions that can be inlined are followed instead; whether they are inlined is UW07.  A static
 * noinline function counts as a call unless it accesses user memory itself, which means that it
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
