// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scoped windows: scoped_user_read_access() and the like, which close themselves.
 *
 * A scope is three loops that run once, all at the position of its macro.  The flow engine calls
 * cleanup functions at the end of a block and at a return, but not for a goto.  So keep track of
 * the scopes around the current statement here.
 */

#include "smatch.h"
#include "smatch_slist.h"
#include "user_access_flow.h"

#define MAX_SCOPES 32

static struct position scopes[MAX_SCOPES];
static int nr_scopes, first_scope;
static int outer_first_scope[MAX_INLINES];

/* The scopes around the current statement, each as its three loops. */
bool scope_contains(struct position pos)
{
	int i;

	for (i = first_scope; i < nr_scopes; i++) {
		if (positions_eq(scopes[i], pos))
			return true;
	}
	return false;
}

void scope_enter(struct statement *stmt)
{
	if (stmt->type != STMT_ITERATOR || !uaccess_scope_at(stmt->pos) || nr_scopes == MAX_SCOPES)
		return;
	/* A loop may enter it again after a goto out of it. */
	if (!scope_contains(stmt->pos))
		window_left();
	scopes[nr_scopes++] = stmt->pos;
}

void scope_leave(struct statement *stmt)
{
	if (stmt->type == STMT_ITERATOR && nr_scopes && positions_eq(scopes[nr_scopes - 1], stmt->pos))
		nr_scopes--;
}

/* Some may be left if smatch gave up on the last function. */
void scope_function_start(void)
{
	nr_scopes = first_scope;
}

void scope_inline_start(int depth)
{
	outer_first_scope[depth] = first_scope;
	first_scope = nr_scopes;
}

void scope_inline_end(int depth)
{
	nr_scopes = first_scope;
	first_scope = outer_first_scope[depth];
}
