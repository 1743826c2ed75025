/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions shared by the files that follow the window; include after smatch.h.  Checks only need
 * user_access.h.
 *
 * Each file only calls files listed before it.
 */
#ifndef USER_ACCESS_FLOW_H
#define USER_ACCESS_FLOW_H

#include "user_access.h"

#define MAX_WINDOWS 64
#define MAX_INLINES 64

/* One event in one window. */
struct user_sighting {
	struct user_access_event event;
	const struct user_window *window;
	struct user_sighting *next;
};

/* One call of a function with a body, in one window. */
struct user_edge {
	struct user_function *caller;
	const char *callee;
	struct position pos;
	const struct user_window *window;
	struct user_edge *next;
};

struct user_function {
	const char *name;
	int stream;
	bool defined;
	bool is_inline;
	bool is_static;
	bool is_noinline;
	bool ends;		/* contains an end */
	bool ends_entry;	/* ... for the window of its caller */
	bool leaves_open;
	bool maybe_guest;	/* called where a window may be open */
	bool walked;		/* ->mentions is valid */
	bool mentions;		/* window macros, itself or in a callee */
	bool parsed;
	bool asking;
	bool called;
	bool called_open;
	bool called_closed;
	bool consumed;		/* a caller ended the window it left open */
	int guest;		/* accesses in its caller's window: 0 unknown, 1 no, 2 yes */
	int touches;		/* accesses or ends there: same values */
	int used;		/* directions of its accesses there, -1 unknown */
	unsigned int visit;
	struct user_sighting *entry;
	struct user_edge *edges;
	struct user_function *next;
	struct user_function *same_bucket;
};

static inline void *uaccess_zalloc(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		sm_fatal("out of memory");
	return p;
}

/* check_user_access_names.c */
#define is_in(name, list) uaccess_in_names(name, list, ARRAY_SIZE(list))
bool uaccess_in_names(const char *name, const char *const *list, int nr);
bool uaccess_has_prefix(const char *name, const char *prefix);
bool uaccess_has_macro(struct position pos, const char *const *list, int nr);
struct position uaccess_call_pos(struct expression *call);
const char *uaccess_begin_at(struct position pos, const char *fn, int *may);
const char *uaccess_end_at(struct position pos, const char *fn, int *may);
const char *uaccess_access_at(struct position pos, int *may);
bool uaccess_scope_at(struct position pos);
const char *uaccess_scope_end(const char *name, int *may);
const char *uaccess_opening_macro(struct position pos);
const char *uaccess_sleeping_macro(struct position pos);
bool uaccess_mentioned_at(struct position pos);
bool uaccess_is_mentioned(const char *name);
bool uaccess_may_sleep(const char *name);
bool uaccess_is_part(const char *name);
bool uaccess_is_safe(const char *name);
bool uaccess_is_half(const char *name);
const char *uaccess_copy(const char *name);
bool uaccess_is_small(struct expression *size);
bool uaccess_is_fortify_part(const char *name, struct position pos);

/* check_user_access_scope.c */
bool scope_contains(struct position pos);
void scope_enter(struct statement *stmt);
void scope_leave(struct statement *stmt);
void scope_function_start(void);
void scope_inline_start(int depth);
void scope_inline_end(int depth);

/* check_user_access_state.c */
void window_states(int id);
void window_set(struct user_window window);
void window_set_kind(enum user_window_kind kind);
struct sm_state *window_sm_state(void);
void window_set_kind_if(bool is_true, enum user_window_kind kind);
void window_use(int may, const char *helper);
void window_set_if(bool is_true, const struct user_window *window);
int window_possible(const struct user_window **list);
void window_left(void);
bool window_possibly_open(void);

/* check_user_access_record.c */
extern struct user_function *user_functions;
extern struct user_sighting *user_sightings;
extern struct user_edge *user_edges;
struct user_function *get_user_function(const char *name);
struct user_function *this_user_function(void);
bool in_user_access_half(void);
void user_access_happens(struct user_access_event event);
void add_user_edge(const char *callee, struct position pos);

/* check_user_access_condition.c */
void condition_function_start(void);
void condition_loop(struct statement *stmt);
void condition_case(struct statement *stmt);
void condition_begin(struct position pos);
void condition_assigned(struct expression *expr);
void condition_test(struct expression *expr);

/* check_user_access_window.c */
void window_begin(struct position pos, int may);
void window_begin_worked(const char *fn, struct expression *call, struct expression *assign,
			 void *unused);
void window_begin_failed(const char *fn, struct expression *call, struct expression *assign,
			 void *unused);
void window_end(struct position pos, const char *name, int may, bool cleanup);
void window_save(void);
void window_restore(void);
void window_access(struct position pos, const char *name, int may);

/* check_user_access_kernel.c */
void kernel_condition(struct expression *expr);

/* check_user_access_branch.c */
void branch_before_masked_test(struct statement *stmt);
void branch_after_masked_test(struct statement *stmt);
void branch_after_dead_label(struct statement *stmt);
void branch_symbol(struct expression *expr);
void branch_function_start(void);
void branch_inline_start(int depth);
void branch_inline_end(int depth);

/* check_user_access_return.c */
void returns_register(void);
void returns_statement(struct statement *stmt);

/* check_user_access_report.c */
void tell_user_access(const struct user_access_event *event, const struct user_window *window);
void print_user_access_warnings(void);

/* check_user_access_helpers.c */
void helpers_end_file(struct symbol_list *sym_list);

#endif
