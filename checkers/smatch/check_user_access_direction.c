// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW04: unsafe_get_user() in a write window, or unsafe_put_user() in a read window.
 *
 * This works on most architectures, but powerpc book3s64 faults on both and book3s32 on the store.
 * A compare and exchange needs a window for both directions.
 */

#include "smatch.h"
#include "user_access.h"

static void match_access(const struct user_access_event *event, const struct user_window *window)
{
	if (!window_is_open(window) || !window->may)
		return;
	if ((event->may & window->may) == event->may)
		return;
	user_access_warn("UW04", event->pos, event->function,
			 "%s in a window that line %d opened for %s",
			 event->name, window->pos.line, directions(window->may));
}

void check_user_access_direction(int id)
{
	add_user_access_hook(USER_ACCESS, &match_access);
}
