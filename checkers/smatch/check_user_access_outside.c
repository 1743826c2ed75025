// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UW21: unsafe_get_user() and friends outside of any window.
 *
 * They check nothing and open nothing.  With SMAP they oops; without it they access whatever the
 * pointer points to.  Neither objtool nor the compiler notices.
 *
 * Paths on which the address is a kernel address, by is_kernel_addr() or a comparison with
 * TASK_SIZE and the like, need no window.
 */

#include "smatch.h"
#include "user_access.h"

static void match_access(const struct user_access_event *event, const struct user_window *window)
{
	if (event->untested)
		return;
	if (window->kind == WINDOW_CLOSED || window->kind == WINDOW_FAILED || window->saved)
		user_access_warn("UW21", event->pos, event->function,
				 "%s outside of any window", event->name);
}

void check_user_access_outside(int id)
{
	add_user_access_hook(USER_ACCESS, &match_access);
}
