// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW03: user_read_access_begin() must be paired with user_read_access_end(), and so on.
 *
 * On x86 all ends are the same.  On powerpc an end locks the direction in its name, so the wrong
 * one leaves the other direction open.
 *
 * In kernels with a single masked begin, the end must fit the accesses made.
 */

#include "smatch.h"
#include "user_access.h"

static void match_end(const struct user_access_event *event, const struct user_window *window)
{
	int used;

	if (window->kind != WINDOW_OPEN || window->scoped)
		return;
	if (!event->may)
		return;
	used = window_used(window);
	if (!window->may && (event->may & used) != used)
		user_access_warn("UW03", event->pos, event->function,
				 "%s ends a window that line %d opened and that was used for %s",
				 event->name, window->pos.line, directions(used));
	if (!window->may || event->may == window->may)
		return;
	user_access_warn("UW03", event->pos, event->function,
			 "%s ends a window that line %d opened for %s",
			 event->name, window->pos.line, directions(window->may));
}

void check_user_access_flavour(int id)
{
	add_user_access_hook(USER_END, &match_end);
}
