// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW10: a window inside a window.
 *
 * Windows don't nest.  get_user() and copy_to_user() open and close user access themselves, so the
 * outer window is closed after them.  The same goes for a second begin and its end.
 */

#include "smatch.h"
#include "user_access.h"

static void match_nested(const struct user_access_event *event, const struct user_window *window)
{
	if (!window_is_open(window))
		return;
	user_access_warn("UW10", event->pos, event->function,
			 "%s while user access is already open, opened on line %d",
			 event->name, window->pos.line);
}

void check_user_access_nested(int id)
{
	add_user_access_hook(USER_BEGIN, &match_nested);
	add_user_access_hook(USER_OPENS, &match_nested);
}
