// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW01: the result of user_access_begin() is not tested.
 *
 * A begin checks the range and only opens the window if it is user memory.  waitid() stored
 * through an unchecked pointer: CVE-2017-5123.
 *
 * There are three variants.  The result is ignored or tested too late.  The path on which the
 * begin failed reaches the label that ends the window, and ends somebody else's.  A masked begin
 * cannot fail, but the pointer that it returns is not used.
 *
 * A path after a failed begin that does not touch user memory is fine.
 */

#include "smatch.h"
#include "user_access.h"

static void match_access(const struct user_access_event *event, const struct user_window *window)
{
	if (window->kind != WINDOW_FAILED)
		return;
	user_access_warn("UW01", window->pos, event->function,
			 "begin is not tested before %s on line %d",
			 event->name, event->pos.line);
}

static void match_end(const struct user_access_event *event, const struct user_window *window)
{
	if (window->kind != WINDOW_FAILED)
		return;
	user_access_warn("UW01", window->pos, event->function,
			 "if this begin fails, %s on line %d is still reached",
			 event->name, event->pos.line);
}

static void match_dropped(const struct user_access_event *event, const struct user_window *window)
{
	user_access_warn("UW01", event->pos, event->function,
			 "the pointer that %s returns is not used", event->name);
}

void check_user_access_unchecked(int id)
{
	add_user_access_hook(USER_ACCESS, &match_access);
	add_user_access_hook(USER_END, &match_end);
	add_user_access_hook(USER_BEGIN_DROPPED, &match_dropped);
}
