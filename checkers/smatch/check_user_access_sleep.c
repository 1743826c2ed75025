// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW09: something that may sleep while user access is open.
 *
 * A page fault may sleep, as exceptions save the state.  An explicit schedule() does not save it:
 * the next task gets our open window, or we come back without it.  Riscv lost SUM that way.
 *
 * Sleeping functions are recognized by name; all others are reported as calls (UW06).
 */

#include "smatch.h"
#include "user_access.h"

static void match_sleep(const struct user_access_event *event, const struct user_window *window)
{
	if (!window_is_open(window))
		return;
	user_access_warn("UW09", event->pos, event->function,
			 "%s may sleep while user access is open, opened on line %d",
			 event->name, window->pos.line);
}

void check_user_access_sleep(int id)
{
	add_user_access_hook(USER_SLEEP, &match_sleep);
}
