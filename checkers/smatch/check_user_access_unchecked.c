// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW01: the result of user_access_begin() is not tested.
 *
 * It checks the range and opens the window only if that is user memory.  waitid() stored through
 * a pointer that nobody had checked and that was CVE-2017-5123.
 *
 * There are three ways to do that.  The result is ignored or looked at too late.  The path on
 * which begin failed gets to the label that ends the window: then it ends somebody else's.  The
 * masked begin can't fail, but its result is the pointer to use, and that is thrown away.
 *
 * If the begin failed and the path does nothing with user memory then I don't care.
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
			 "if this begin fails then %s on line %d is reached all the same",
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
